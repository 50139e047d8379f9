package dev.datachecksums.operator.telemetry;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.operator.decide.Decision;
import dev.datachecksums.operator.observe.Observation;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The series of all resources: made when a resource was looked at, and only put together by a scrape, which so asks no
 * database. They go with their resource.
 */
public final class ResourceMetrics implements MultiCollector {

    private final Map<String, Standing> byUid = new ConcurrentHashMap<>();
    private final Tallies tallies = new Tallies();
    private final Labels build;

    /** What one resource contributes to a scrape. */
    private record Standing(String namespace, String name, Map<Metric, List<DataPointSnapshot>> points) {}

    /** Of the operator of that version. */
    public ResourceMetrics(String version) {
        this.build = Labels.of("version", version, "java", System.getProperty("java.version", "unknown"));
    }

    /** Takes what was observed of a resource and reported about it. */
    public void report(Observation o, DataChecksumsStatus status) {
        Observation.Resource r = o.resource();
        Map<Metric, List<DataPointSnapshot>> points = new EnumMap<>(Metric.class);
        for (Sample s : Samples.of(o, status)) {
            points.computeIfAbsent(s.metric(), m -> new ArrayList<>(1)).add(point(r, s));
        }
        byUid.put(r.uid(), new Standing(r.namespace(), r.name(), points));
    }

    private static DataPointSnapshot point(Observation.Resource r, Sample s) {
        List<String> values = new ArrayList<>(List.of(r.namespace(), r.name()));
        values.addAll(s.labels());
        Labels labels = Labels.of(s.metric().labels().toArray(String[]::new), values.toArray(String[]::new));
        return switch (s.metric().kind()) {
            case COUNTER -> new CounterDataPointSnapshot(s.value(), labels, null, 0L);
            case INFO -> new InfoDataPointSnapshot(labels);
            case GAUGE, HISTOGRAM -> new GaugeDataPointSnapshot(s.value(), labels, null);
        };
    }

    /** Counts a status that was written. */
    public void wrote() {
        tallies.count(Metric.STATUS_WRITES);
    }

    /** Counts the end of a try, if this decision was one and has been carried out. */
    public void did(Observation o, Decision d) {
        if (d instanceof Decision.Complete done) {
            ConversionStatus c = done.conversion();
            LastConversion result = done.result();
            count(o, c, "Succeeded");
            Words.between(result.started(), result.completed())
                    .ifPresent(t -> tallies.observe(Metric.CONVERSION_DURATION, Words.seconds(t), method(c)));
            Words.duration(result.outage())
                    .ifPresent(t -> tallies.observe(Metric.OUTAGE_DURATION, Words.seconds(t), method(c), "Succeeded"));
        } else if (d instanceof Decision.EndTry end) {
            ConversionStatus c = end.conversion();
            String outcome = end.counts() ? "Failed" : "GivenUp";
            count(o, c, outcome);
            Words.between(c.stopped(), c.restored())
                    .ifPresent(t -> tallies.observe(Metric.OUTAGE_DURATION, Words.seconds(t), method(c), outcome));
        }
    }

    private void count(Observation o, ConversionStatus c, String outcome) {
        tallies.count(Metric.CONVERSIONS, o.resource().namespace(), o.resource().name(), method(c), outcome);
    }

    private static String method(ConversionStatus c) {
        return Words.of(c.method());
    }

    /** Forgets a resource that has gone. */
    public void forget(String uid) {
        Standing gone = byUid.remove(uid);
        if (gone != null) {
            tallies.forget(gone.namespace(), gone.name());
        }
    }

    @Override
    public MetricSnapshots collect() {
        List<Standing> all = List.copyOf(byUid.values());
        List<MetricSnapshot> snapshots = new ArrayList<>();
        for (Metric m : Metric.values()) {
            if (m.of() == Metric.Of.RESOURCE) {
                List<DataPointSnapshot> points = new ArrayList<>(all.size());
                all.forEach(s -> points.addAll(s.points().getOrDefault(m, List.of())));
                if (!points.isEmpty()) {
                    snapshots.add(snapshot(m, points));
                }
            }
        }
        snapshots.add(snapshot(Metric.RESOURCES, List.of(new GaugeDataPointSnapshot(all.size(), Labels.EMPTY, null))));
        snapshots.add(snapshot(Metric.BUILD_INFO, List.of(new InfoDataPointSnapshot(build))));
        tallies.collect(snapshots);
        return new MetricSnapshots(snapshots);
    }

    private static MetricSnapshot snapshot(Metric m, List<DataPointSnapshot> points) {
        MetricMetadata meta = new MetricMetadata(m.baseName(), m.help());
        return switch (m.kind()) {
            case COUNTER -> new CounterSnapshot(meta, cast(points, CounterDataPointSnapshot.class));
            case INFO -> new InfoSnapshot(meta, cast(points, InfoDataPointSnapshot.class));
            case GAUGE, HISTOGRAM -> new GaugeSnapshot(meta, cast(points, GaugeDataPointSnapshot.class));
        };
    }

    private static <T extends DataPointSnapshot> List<T> cast(List<DataPointSnapshot> points, Class<T> type) {
        return points.stream().map(type::cast).toList();
    }
}

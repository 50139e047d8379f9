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
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The series of all resources: made when a resource was looked at, and only put together by a scrape, which so asks no
 * database. They go with their resource.
 */
public final class ResourceMetrics implements MultiCollector {

    /** That of the labels: points are sorted by them, and most of that work is spared where they come sorted. */
    private static final Comparator<Standing> IN_ORDER =
            Comparator.comparing(Standing::name).thenComparing(Standing::namespace);

    private final Map<String, Standing> byUid = new ConcurrentHashMap<>();
    /** Metrics of which a point has come, gone or changed since the last scrape. */
    private final Set<Metric> stale = ConcurrentHashMap.newKeySet();
    /** As of the last scrape; most metrics of most resources do not change between two. */
    private final Map<Metric, MetricSnapshot> standing = new EnumMap<>(Metric.class);

    private final Tallies tallies = new Tallies();
    private final Labels build;

    /** What one resource contributes to a scrape. */
    private record Standing(
            String namespace, String name, List<Sample> samples, Map<Metric, List<DataPointSnapshot>> points) {}

    /** Of the operator of that version. */
    public ResourceMetrics(String version) {
        this.build = Labels.of("version", version, "java", System.getProperty("java.version", "unknown"));
    }

    /** Takes what was observed of a resource and reported about it. */
    public void report(Observation o, DataChecksumsStatus status) {
        Observation.Resource r = o.resource();
        Map<Metric, List<DataPointSnapshot>> points = new EnumMap<>(Metric.class);
        List<Sample> samples = Samples.of(o, status);
        for (Sample s : samples) {
            points.computeIfAbsent(s.metric(), m -> new ArrayList<>(1)).add(point(r, s));
        }
        Standing before = byUid.put(r.uid(), new Standing(r.namespace(), r.name(), samples, points));
        stale(before, samples);
    }

    /** Marks what the next scrape has to put together anew. */
    private void stale(@Nullable Standing before, List<Sample> now) {
        Set<Sample> changed = new HashSet<>(now);
        if (before != null) {
            before.samples().forEach(s -> {
                if (!changed.remove(s)) {
                    changed.add(s);
                }
            });
        }
        changed.forEach(s -> stale.add(s.metric()));
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
            stale.addAll(gone.points().keySet());
            tallies.forget(gone.namespace(), gone.name());
        }
    }

    @Override
    public synchronized MetricSnapshots collect() {
        // Unmarked before it is read: what is reported from here on marks it again.
        List<Metric> due = Arrays.stream(Metric.values())
                .filter(m -> m.of() == Metric.Of.RESOURCE && stale.remove(m))
                .toList();
        List<Standing> all = byUid.values().stream().sorted(IN_ORDER).toList();
        for (Metric m : due) {
            List<DataPointSnapshot> points = new ArrayList<>(all.size());
            all.forEach(s -> points.addAll(s.points().getOrDefault(m, List.of())));
            if (points.isEmpty()) {
                standing.remove(m);
            } else {
                standing.put(m, snapshot(m, points));
            }
        }
        List<MetricSnapshot> snapshots = new ArrayList<>(standing.values());
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

package dev.datachecksums.operator.telemetry;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What was counted and measured since the operator was started. */
final class Tallies {

    private static final long NEVER = 0;

    private final Map<Metric, Map<Labels, Double>> counters = new HashMap<>();
    private final Map<Metric, Map<Labels, Observed>> histograms = new HashMap<>();

    private static final class Observed {
        final double[] bounds;
        final long[] counts;
        double sum;

        Observed(double[] bounds) {
            this.bounds = bounds;
            this.counts = new long[bounds.length];
        }

        void add(double value) {
            sum += value;
            int i = 0;
            while (value > bounds[i]) {
                i++;
            }
            counts[i]++;
        }
    }

    synchronized void count(Metric metric, String... labels) {
        counters.computeIfAbsent(metric, m -> new HashMap<>()).merge(labels(metric, labels), 1.0, Double::sum);
    }

    synchronized void observe(Metric metric, double value, String... labels) {
        histograms
                .computeIfAbsent(metric, m -> new HashMap<>())
                .computeIfAbsent(labels(metric, labels), l -> new Observed(metric.bounds()))
                .add(value);
    }

    /** Drops the counters of a resource. */
    synchronized void forget(String namespace, String name) {
        counters.values()
                .forEach(byLabels -> byLabels.keySet()
                        .removeIf(l -> namespace.equals(l.get("namespace")) && name.equals(l.get("name"))));
    }

    synchronized void collect(List<MetricSnapshot> to) {
        counters.forEach((m, all) -> {
            if (!all.isEmpty()) {
                to.add(new CounterSnapshot(
                        new MetricMetadata(m.baseName(), m.help()),
                        all.entrySet().stream()
                                .map(e -> new CounterDataPointSnapshot(e.getValue(), e.getKey(), null, NEVER))
                                .toList()));
            }
        });
        histograms.forEach((m, all) -> to.add(new HistogramSnapshot(
                new MetricMetadata(m.baseName(), m.help()),
                all.entrySet().stream()
                        .map(e -> HistogramDataPointSnapshot.builder()
                                .classicHistogramBuckets(ClassicHistogramBuckets.of(
                                        e.getValue().bounds, e.getValue().counts.clone()))
                                .sum(e.getValue().sum)
                                .labels(e.getKey())
                                .build())
                        .toList())));
    }

    private static Labels labels(Metric metric, String... values) {
        return Labels.of(metric.labels().toArray(String[]::new), values);
    }
}

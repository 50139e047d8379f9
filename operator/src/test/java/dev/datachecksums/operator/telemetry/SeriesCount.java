package dev.datachecksums.operator.telemetry;

/** The bounds that docs/metrics.md states; {@link ResourceMetricsTest} counts. */
final class SeriesCount {
    static final int AT_REST = 32;
    static final int CONVERTING = 44;

    private SeriesCount() {}
}

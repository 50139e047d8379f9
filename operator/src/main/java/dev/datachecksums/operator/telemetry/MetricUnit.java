package dev.datachecksums.operator.telemetry;

/** What the values of a {@link Metric} are, in words for docs/metrics.md. */
enum MetricUnit {
    STATE_SET("0 or 1, one 1 a resource"),
    BOOLEAN("0 or 1"),
    NUMBER("number"),
    RATIO("ratio, 0 to 1"),
    BYTES("bytes"),
    BYTES_PER_SECOND("bytes per second"),
    SECONDS("seconds");

    private final String words;

    MetricUnit(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}

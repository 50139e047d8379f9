package dev.datachecksums.operator.telemetry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** docs/metrics.md, from the declarations that the metrics themselves are made from. */
final class MetricsReference {

    static final String FILE = "docs/metrics.md";

    private static final String INTRODUCTION = """
            # Metrics

            Generated from the declarations in the code by `make crds`; a test keeps the two equal.

            `/metrics` answers on `--metrics-port` (8080), by HTTP, or by HTTPS with `--metrics-tls-cert` and `--metrics-tls-key`.
            A scrape shows what the operator saw when it last looked at each resource: it asks no database and no API server.

            Labels `namespace` and `name` are those of the `DataChecksums` resource. Prometheus renames them to
            `exported_namespace` and so on where it adds a `namespace` of its own: scrape with `honor_labels: true`
            (`honorLabels: true` in a ServiceMonitor, as in [manifests/monitoring](../manifests/monitoring)).

            A resource at rest has %d series, one that is being converted up to %d; besides, one for each check of the gate that
            says no, and two for each database with checksum failures, at most %d databases. They go with the resource. What is
            not known has no series: where checksums are off there are no failures to be counted, not zero.

            """;

    private MetricsReference() {}

    /** Writes it below the root given as the argument. */
    public static void main(String[] args) throws IOException {
        Path file = Path.of(args.length > 0 ? args[0] : ".")
                .resolve(FILE)
                .toAbsolutePath()
                .normalize();
        Files.createDirectories(file.getParent());
        Files.writeString(file, text());
        System.out.println(file);
    }

    static String text() {
        StringBuilder b = new StringBuilder(String.format(
                Locale.ROOT, INTRODUCTION, SeriesCount.AT_REST, SeriesCount.CONVERTING, Samples.DATABASES));
        b.append("## Of each resource\n\n");
        table(b, row -> row.of() == Metric.Of.RESOURCE);
        b.append("\n## Of the operator\n\n");
        table(b, row -> row.of() == Metric.Of.FLEET);
        b.append("\n## Of the SDK and the process\n\n");
        head(b);
        for (ForeignMetric m : ForeignMetric.values()) {
            row(b, m.fullName(), m.kind(), m.unit(), m.labels(), m.help());
        }
        return b.toString();
    }

    private static void table(StringBuilder b, Predicate<Metric> which) {
        head(b);
        for (Metric m : Metric.values()) {
            if (which.test(m)) {
                row(b, m.fullName(), m.kind(), m.unit(), m.labels(), m.help());
            }
        }
    }

    private static void head(StringBuilder b) {
        b.append("| name | type | unit | labels | meaning |\n|---|---|---|---|---|\n");
    }

    private static void row(
            StringBuilder b, String name, Metric.Kind kind, MetricUnit unit, List<String> labels, String help) {
        b.append("| `").append(name).append("` | ");
        b.append(kind == Metric.Kind.INFO ? "gauge" : kind.name().toLowerCase(Locale.ROOT))
                .append(" | ");
        b.append(unit.words()).append(" | ");
        b.append(labels.stream().map(l -> "`" + l + "`").collect(Collectors.joining(", ")))
                .append(" | ");
        b.append(help).append(" |\n");
    }
}

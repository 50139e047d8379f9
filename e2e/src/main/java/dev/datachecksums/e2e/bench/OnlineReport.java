package dev.datachecksums.e2e.bench;

import dev.datachecksums.e2e.load.Pgbench;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the online bench found: on the screen, as Markdown, as JSON, and pgbench's rate as a picture. */
final class OnlineReport {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 260;
    private static final int LEFT = 60;

    private final Map<String, Object> facts = new LinkedHashMap<>();
    private final List<Period> periods = new ArrayList<>();

    /** What one period of the load was like. */
    record Period(String name, Instant from, Instant to, double tps, double walBytesPerCommit, long checkpoints) {}

    void fact(String name, @Nullable Object value) {
        facts.put(name, value == null ? "" : value);
        System.out.println(name + ": " + value);
    }

    void period(Period p) {
        periods.add(p);
        System.out.println(line(p));
    }

    /** Of the rate before: of the last period of which nothing was converted yet. */
    private double share(Period p) {
        double before = periods.stream()
                .filter(b -> b.name().endsWith("before") && !b.from().isAfter(p.from()))
                .reduce((first, last) -> last)
                .map(Period::tps)
                .orElse(0.0);
        return before == 0 ? 0 : p.tps() / before;
    }

    private String line(Period p) {
        return String.format(
                Locale.ROOT,
                "| %s | %.0f | %.1f | %.2f | %.0f | %d |",
                p.name(),
                Duration.between(p.from(), p.to()).toMillis() / 1000.0,
                p.tps(),
                share(p),
                p.walBytesPerCommit(),
                p.checkpoints());
    }

    /** Writes the files. */
    void write(Path directory, List<Pgbench.Sample> samples) throws IOException {
        Files.createDirectories(directory);
        StringBuilder md = new StringBuilder("# Converting online\n\n");
        facts.forEach((k, v) -> md.append("- ").append(k).append(": ").append(v).append('\n'));
        md.append(
                "\n| period | s | tps | tps / before | WAL bytes / commit | checkpoints |\n|---|---|---|---|---|---|\n");
        periods.forEach(p -> md.append(line(p)).append('\n'));
        md.append("\n![pgbench's rate](online.svg)\n");
        Files.writeString(directory.resolve("online.md"), md);
        List<Map<String, Object>> rows = periods.stream()
                .map(p -> Map.<String, Object>of(
                        "name",
                        p.name(),
                        "seconds",
                        Duration.between(p.from(), p.to()).toMillis() / 1000.0,
                        "tps",
                        p.tps(),
                        "tpsByBefore",
                        share(p),
                        "walBytesPerCommit",
                        p.walBytesPerCommit(),
                        "checkpoints",
                        p.checkpoints()))
                .toList();
        Files.writeString(
                directory.resolve("online.json"), Serialization.asJson(Map.of("facts", facts, "periods", rows)));
        Files.writeString(directory.resolve("online.svg"), plot(samples));
        System.out.println("written to " + directory);
    }

    private String plot(List<Pgbench.Sample> samples) {
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                WIDTH,
                HEIGHT));
        if (!samples.isEmpty()) {
            Instant first = samples.get(0).at();
            double span = Math.max(
                    1,
                    Duration.between(first, samples.get(samples.size() - 1).at())
                            .toMillis());
            double top = samples.stream().mapToDouble(Pgbench.Sample::tps).max().orElse(1) * 1.1;
            boolean shade = false;
            for (Period p : periods) {
                double x = x(first, p.from(), span);
                shade = !shade;
                svg.append(String.format(
                        Locale.ROOT,
                        "<rect x=\"%.1f\" y=\"20\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/><text x=\"%.1f\" y=\"15\">%s</text>%n",
                        x,
                        Math.max(1, x(first, p.to(), span) - x),
                        HEIGHT - 50,
                        shade ? "#eef3fb" : "#f7f7f7",
                        x,
                        p.name()));
            }
            StringBuilder points = new StringBuilder();
            for (Pgbench.Sample s : samples) {
                points.append(String.format(
                        Locale.ROOT,
                        "%.1f,%.1f ",
                        x(first, s.at(), span),
                        HEIGHT - 30 - s.tps() / top * (HEIGHT - 50)));
            }
            svg.append("<polyline fill=\"none\" stroke=\"#2563eb\" stroke-width=\"1.5\" points=\"")
                    .append(points)
                    .append("\"/>\n");
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"4\" y=\"30\">%.0f tps</text><text x=\"4\" y=\"%d\">0</text>%n",
                    top,
                    HEIGHT - 30));
            svg.append(String.format(
                    Locale.ROOT, "<text x=\"%d\" y=\"%d\">%.0f s</text>%n", WIDTH - 50, HEIGHT - 10, span / 1000));
        }
        return svg.append("</svg>\n").toString();
    }

    private static double x(Instant first, Instant at, double span) {
        return LEFT + Duration.between(first, at).toMillis() / span * (WIDTH - LEFT - 20);
    }
}

package dev.datachecksums.e2e.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The files under manifests/monitoring and docs/runbooks, and the tools that read them. */
final class Monitoring {
    /** Surefire runs in the module's folder. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    static final Path RULES = ROOT.resolve("manifests/monitoring/datachecksums.rules.yaml");
    static final Path PROMETHEUS_RULE = ROOT.resolve("manifests/monitoring/prometheusrule.yaml");

    private static final String HEAD = """
            # Generated from datachecksums.rules.yaml by make crds; a test keeps the two equal.
            apiVersion: monitoring.coreos.com/v1
            kind: PrometheusRule
            metadata:
              name: datachecksums
            spec:
            """;

    private Monitoring() {}

    /** Writes the PrometheusRule. Started in the project's root. */
    public static void main(String[] args) throws IOException {
        Path root = Path.of(args.length > 0 ? args[0] : ".").toAbsolutePath().normalize();
        Path file = root.resolve(ROOT.relativize(PROMETHEUS_RULE));
        Files.writeString(file, prometheusRule(read(root.resolve(ROOT.relativize(RULES)))));
        System.out.println(file);
    }

    /** The same rules as the Prometheus operator takes them. */
    static String prometheusRule(String plain) {
        return HEAD + plain.lines().map(l -> l.isEmpty() ? l : "  " + l).collect(Collectors.joining("\n", "", "\n"));
    }

    /** One alert. */
    record Alert(String name, String severity, String summary, String runbook) {}

    static List<Alert> alerts() {
        List<Alert> alerts = new ArrayList<>();
        for (JsonNode rule : yaml(RULES).at("/groups/0/rules")) {
            alerts.add(new Alert(
                    rule.path("alert").asText(),
                    rule.at("/labels/severity").asText(),
                    rule.at("/annotations/summary").asText(),
                    rule.at("/annotations/runbook_url").asText()));
        }
        return alerts;
    }

    static JsonNode yaml(Path file) {
        try {
            return new YAMLMapper().readTree(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How a program ended, and what it said on both streams. */
    record Result(int code, String output) {}

    static Result run(String input, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new IllegalStateException("still running after a minute: " + String.join(" ", command));
        }
        return new Result(process.exitValue(), output);
    }
}

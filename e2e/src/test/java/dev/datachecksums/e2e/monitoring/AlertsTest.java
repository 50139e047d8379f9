package dev.datachecksums.e2e.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerts, by promtool's own word. */
class AlertsTest {
    private static final Path TESTS = Path.of("src/test/resources/alerts/alerts.test.yaml");
    private static final List<String> NAMES = List.of(
            "ConversionStalled",
            "ConversionFailed",
            "GateBlocked",
            "OutageTooLong",
            "Drifted",
            "CorruptionDetected",
            "BackupAdvised",
            "OperatorDown");

    @Test
    void promtoolAcceptsTheRules() throws Exception {
        Monitoring.Result result = Monitoring.run("", "promtool", "check", "rules", Monitoring.RULES.toString());
        assertThat(result.output()).contains("SUCCESS: 8 rules found");
        assertThat(result.code()).isZero();
    }

    @Test
    void eachFiresWhenItShouldAndOnlyThen(@TempDir Path folder) throws Exception {
        Path tests = Files.writeString(
                folder.resolve("tests.yaml"), Monitoring.read(TESTS).replace("RULES", Monitoring.RULES.toString()));
        Monitoring.Result result = Monitoring.run("", "promtool", "test", "rules", tests.toString());
        assertThat(result.output()).contains("SUCCESS").doesNotContain("FAILED");
        assertThat(result.code()).isZero();
        Set<String> firing = new HashSet<>();
        Set<String> silent = new HashSet<>();
        for (JsonNode test : Monitoring.yaml(tests).path("tests")) {
            for (JsonNode rule : test.path("alert_rule_test")) {
                (rule.path("exp_alerts").isEmpty() ? silent : firing)
                        .add(rule.path("alertname").asText());
            }
        }
        assertThat(firing).containsExactlyInAnyOrderElementsOf(NAMES);
        assertThat(silent).containsExactlyInAnyOrderElementsOf(NAMES);
    }

    @Test
    void eachSaysHowBadItIsOfWhatWhyAndWhereToRead() {
        assertThat(Monitoring.alerts()).extracting(Monitoring.Alert::name).containsExactlyElementsOf(NAMES);
        assertThat(Monitoring.alerts()).allSatisfy(a -> {
            assertThat(a.severity()).isIn("critical", "warning", "info");
            assertThat(a.runbook()).isEqualTo("docs/runbooks/" + a.name() + ".md");
            assertThat(Monitoring.read(Monitoring.ROOT.resolve(a.runbook())))
                    .startsWith("# " + a.name() + "\n")
                    .contains("\n## What it means\n", "\n## See it\n", "\n## What to do\n", "\n## What not to do\n");
            if (!a.name().equals("OperatorDown")) {
                assertThat(a.summary()).contains("{{ $labels.namespace }}/{{ $labels.name }}");
            }
            assertThat(a.summary()).containsAnyOf("reason", "{{ $labels.check }}");
        });
    }

    @Test
    void thePrometheusRuleHoldsTheSameRules() throws IOException {
        assertThat(Monitoring.read(Monitoring.PROMETHEUS_RULE))
                .as("run make crds")
                .isEqualTo(Monitoring.prometheusRule(Monitoring.read(Monitoring.RULES)));
        assertThat(Monitoring.yaml(Monitoring.PROMETHEUS_RULE).path("spec"))
                .isEqualTo(Monitoring.yaml(Monitoring.RULES));
    }

    @Test
    void thereIsNoRunbookWithoutAnAlert() throws IOException {
        try (Stream<Path> files = Files.list(Monitoring.ROOT.resolve("docs/runbooks"))) {
            assertThat(files.map(f -> f.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            NAMES.stream().map(n -> n + ".md").toList());
        }
    }
}

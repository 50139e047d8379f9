package dev.datachecksums.e2e.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The dashboard is whole; that its queries return something is tried in the scenarios, against a real Prometheus. */
class DashboardTest {
    private static final Pattern METRIC =
            Pattern.compile("(datachecksums_[a-z_]+|reconciliations_[a-z_]+|process_[a-z_]+)");

    @Test
    void eachPanelIsTriedInOneScenario() {
        assertThat(Dashboard.PANELS.values().stream().flatMap(Collection::stream))
                .containsExactlyInAnyOrderElementsOf(Dashboard.titles());
    }

    @Test
    void panelsAndAlertsAskForMetricsThatAreDocumented() {
        String documented = Monitoring.read(Monitoring.ROOT.resolve("docs/metrics.md"));
        String asked = Monitoring.read(Dashboard.FILE) + Monitoring.read(Monitoring.RULES);
        Set<String> names = Set.copyOf(METRIC.matcher(asked)
                .results()
                .map(m -> m.group(1).replaceAll("_bucket$", ""))
                .toList());
        assertThat(names)
                .hasSizeGreaterThan(20)
                .allSatisfy(name -> assertThat(documented).contains("| `" + name + "` |"));
    }
}

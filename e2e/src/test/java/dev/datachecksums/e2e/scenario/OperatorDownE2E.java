package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.e2e.monitoring.Prometheus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The operator stops, and Prometheus says so until it is back. */
@Tag("embedded")
@Timeout(300)
class OperatorDownE2E {
    @RegisterExtension
    final Cluster cluster = Cluster.create();

    @Test
    void operatorDown() {
        try (Prometheus prometheus = Prometheus.start()) {
            prometheus.scrape(List.of(cluster.operator().metricsAddress()));
            prometheus.awaitData("datachecksums_build_info");
            prometheus.awaitClear("OperatorDown", Map.of());
            cluster.operator().stop();
            assertThat(prometheus.awaitFiring("OperatorDown", Map.of("severity", "critical")))
                    .contains("operator");
            cluster.operator().start();
            prometheus.scrape(List.of(cluster.operator().metricsAddress()));
            prometheus.awaitClear("OperatorDown", Map.of());
        }
    }
}

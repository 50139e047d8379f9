package dev.datachecksums.e2e.online;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.monitoring.Dashboard;
import dev.datachecksums.e2e.monitoring.Prometheus;
import dev.datachecksums.operator.postgres.LocalPostgres;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An open transaction holds an online conversion up: a real Prometheus says so until it has ended. */
@Timeout(300)
class AlertsRealOnline {

    @Test
    void anOpenTransactionStallsAndItsEndClears() {
        try (Subject subject = new Subject(false);
                LocalPostgres standby = subject.server().standby();
                Prometheus prometheus = Prometheus.start()) {
            assertThat(standby.isRunning()).isTrue();
            prometheus.scrape(List.of(subject.operator().metricsAddress()));
            try (Subject.Held open = subject.hold("postgres", "begin", "select pg_current_xact_id()")) {
                assertThat(open).isNotNull();
                subject.declare(DesiredState.ENABLED, "policy.stalledAfter", "10s");
                Map<String, String> labels =
                        Map.of("namespace", subject.get().getMetadata().getNamespace(), "name", Subject.NAME);
                assertThat(prometheus.awaitFiring("ConversionStalled", labels)).contains("OldTransaction");
                Dashboard.queries(Dashboard.ONLINE, labels).forEach(prometheus::awaitData);
            }
            prometheus.awaitClear("ConversionStalled", Map.of());
            subject.awaitConverged(DesiredState.ENABLED);
        }
    }
}

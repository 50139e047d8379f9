package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.monitoring.Dashboard;
import dev.datachecksums.e2e.monitoring.Output;
import dev.datachecksums.e2e.monitoring.Prometheus;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A real Prometheus scrapes the operator; each alert fires from what it is about and clears once that is mended. */
@Tag("embedded")
class AlertsE2E {
    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    private static Prometheus prometheus;

    @BeforeAll
    static void startPrometheus() {
        prometheus = Prometheus.start();
        prometheus.scrape(List.of(CLUSTER.operator().metricsAddress()));
    }

    @AfterAll
    static void stopPrometheus() {
        prometheus.close();
    }

    private static Map<String, String> about(Declaration declaration) {
        return Map.of("namespace", CLUSTER.testbed().namespace(), "name", declaration.name());
    }

    @Scenario
    void conversionFailed() {
        Database database =
                CLUSTER.create(Tools.on(PostgresSpec.named("failing"))).flag("wrong-version");
        Declaration declaration = database.declare("policy.attempts", 1);
        assertThat(prometheus.awaitFiring("ConversionFailed", about(declaration)))
                .contains(declaration.name(), "ToolMatches");
        Dashboard.queries(Dashboard.FAILED, about(declaration)).forEach(prometheus::awaitData);
        database.unflag("wrong-version");
        declaration.set("policy.attempts", 2);
        prometheus.awaitClear("ConversionFailed", about(declaration));
        declaration.awaitConverged(DesiredState.ENABLED);
    }

    @Scenario
    void gateBlocked() {
        Declaration declaration = CLUSTER.create(PostgresSpec.named("blocked")).declare("policy.method", "Online");
        assertThat(prometheus.awaitFiring("GateBlocked", about(declaration)))
                .contains(declaration.name(), "FunctionPresent");
        Dashboard.queries(Dashboard.BLOCKED, about(declaration)).forEach(prometheus::awaitData);
        declaration.set("policy.method", "Offline");
        prometheus.awaitClear("GateBlocked", about(declaration));
    }

    /** And, once the server serves again with its state changed, that a backup is due. */
    @Scenario
    void outageTooLongAndBackupAdvised() throws Exception {
        Database database =
                CLUSTER.filled(Tools.on(PostgresSpec.named("down")), 64).flag("hold");
        Declaration declaration = database.declare();
        assertThat(prometheus.awaitFiring("OutageTooLong", about(declaration))).contains(declaration.name());
        database.flag("slow").unflag("hold");
        Dashboard.queries(Dashboard.CONVERTING, about(declaration)).forEach(prometheus::awaitData);
        Output.check(CLUSTER.operator().metricsAddress());
        database.unflag("slow");
        prometheus.awaitClear("OutageTooLong", about(declaration));
        declaration.awaitConverged(DesiredState.ENABLED);

        Dashboard.queries(Dashboard.CONVERTED, about(declaration)).forEach(prometheus::awaitData);
        assertThat(prometheus.awaitFiring("BackupAdvised", about(declaration))).contains(declaration.name());
        declaration.annotate(
                "datachecksums.dev/backup-taken", Instant.now().plusSeconds(1).toString());
        prometheus.awaitClear("BackupAdvised", about(declaration));
        assertThat(Declaration.condition(declaration.status(), "BackupAdvised").reason())
                .isEqualTo("BackupTaken");
        declaration.awaitEvent("ConvertedSinceBackup");
    }

    @Scenario
    void drifted() {
        Database database = CLUSTER.create(PostgresSpec.named("drifts").withChecksums(true));
        Declaration declaration = database.declare("policy.onDrift", "Report");
        declaration.awaitConverged(DesiredState.ENABLED);
        database.server().scale(0);
        database.server().runTool("pg_checksums --disable -D \"$PGDATA\"");
        database.server().scale(1);
        assertThat(prometheus.awaitFiring("Drifted", about(declaration))).contains(declaration.name());
        Dashboard.queries(Dashboard.ALWAYS, about(declaration)).forEach(prometheus::awaitData);
        Dashboard.queries(Dashboard.DRIFTED, about(declaration)).forEach(prometheus::awaitData);
        declaration.set("policy.onDrift", "Correct");
        prometheus.awaitClear("Drifted", about(declaration));
    }

    /** Sixteen bytes of a table are damaged on the disk. Without checksums the query answers as if nothing were wrong. */
    @Scenario
    void corruptionDetected() {
        Database off = CLUSTER.create(PostgresSpec.named("unprotected"));
        Page unprotected = Page.write(off, "letters");
        unprotected.damage();
        assertThat(unprotected.read()).contains(Page.DAMAGED).hasSize(Page.ROW.length());
        Declaration unaware = off.declare("state", "Disabled");
        unaware.awaitConverged(DesiredState.DISABLED);
        assertThat(unaware.status().failures()).isNull();

        Database on = CLUSTER.create(PostgresSpec.named("damaged").withChecksums(true));
        Declaration declaration = on.declare();
        declaration.awaitConverged(DesiredState.ENABLED);
        Page page = Page.write(on, "letters");
        page.damage();
        Instant before = Instant.now().minusSeconds(2);
        assertThatThrownBy(page::read)
                .rootCause()
                .hasMessageContaining("invalid page in block 0 of relation " + page.relation());
        Map<String, String> labels =
                Map.of("namespace", CLUSTER.testbed().namespace(), "name", declaration.name(), "database", "postgres");
        assertThat(prometheus.awaitFiring("CorruptionDetected", labels)).contains(declaration.name(), "postgres");
        Dashboard.queries(Dashboard.CORRUPT, about(declaration)).forEach(prometheus::awaitData);
        DataChecksumsStatus status = declaration.status();
        assertThat(Objects.requireNonNull(status.failures()).databases()).containsExactly("postgres");
        assertThat(Instant.parse(status.failures().lastFailureTime())).isBetween(before, Instant.now());
        assertThat(Declaration.condition(status, "CorruptionDetected").status()).isEqualTo("True");
        assertThat(Declaration.condition(status, "CorruptionDetected").message())
                .contains("postgres");
        declaration.awaitEvent("ChecksumFailures");
        // A reset of the statistics is no recovery.
        on.server().execute("select pg_stat_reset()");
        prometheus.awaitData("datachecksums_checksum_failures_total{name=\"damaged\"} == 0");
        assertThat(prometheus.firing("CorruptionDetected", labels)).isNotEmpty();
        assertThat(prometheus.firing("CorruptionDetected", about(unaware))).isEmpty();
        declaration.annotate(
                "datachecksums.dev/failures-acknowledged", Instant.now().toString());
        prometheus.awaitClear("CorruptionDetected", labels);
    }
}

package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.BlockerStatus;
import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nothing is to be done, or not now. */
@Tag("twice")
class AtRestE2E {
    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    @Scenario
    void nothingIsWrittenWhileNothingChanges() throws SQLException {
        Database database = CLUSTER.create(PostgresSpec.named("quiet").withChecksums(true));
        Declaration declaration = database.declare();
        declaration.awaitConverged(DesiredState.ENABLED);
        try (Connection watching = database.server().connect()) {
            awaitLooks(watching, 2);
            DataChecksums before = declaration.get();
            awaitLooks(watching, 8);
            assertThat(declaration.get().getMetadata().getResourceVersion())
                    .isEqualTo(before.getMetadata().getResourceVersion());
            declaration.set("policy.attempts", 7);
            DataChecksums after = declaration.awaitObject(
                    "seen",
                    d -> d.getMetadata()
                            .getGeneration()
                            .equals(Objects.requireNonNull(d.getStatus()).observedGeneration()));
            assertThat(after.getMetadata().getGeneration())
                    .isEqualTo(before.getMetadata().getGeneration() + 1);
            assertThat(after.getStatus().phase()).isEqualTo(Phase.CONVERGED);
        }
    }

    /** Each look of the operator is a session of its own; ours stays open. */
    private static void awaitLooks(Connection watching, int more) throws SQLException {
        long before = Looks.at(watching);
        Awaitility.await().atMost(4, TimeUnit.MINUTES).until(() -> Looks.at(watching) >= before + more);
    }

    @Scenario
    void aServerThatDriftedIsReportedOrCorrected() {
        Database database = CLUSTER.create(PostgresSpec.named("drifting").withChecksums(true));
        Declaration declaration = database.declare("policy.onDrift", "Report");
        declaration.awaitConverged(DesiredState.ENABLED);
        database.server().scale(0);
        database.server().runTool("pg_checksums --disable -D \"$PGDATA\"");
        database.server().scale(1);
        Database.Standing before = database.standing();
        DataChecksumsStatus status = declaration.awaitPhase(Phase.DRIFTED);
        assertThat(Declaration.condition(status, "Ready").status()).isEqualTo("False");
        assertThat(Declaration.condition(status, "Stalled").status()).isEqualTo("True");
        declaration.awaitEvent("Drifted");
        assertThat(database.standing()).isEqualTo(before);
        assertThat(before.checksums()).isEqualTo("off");
        declaration.set("policy.onDrift", "Correct");
        declaration.awaitConverged(DesiredState.ENABLED);
        assertThat(database.server().dataChecksums()).isEqualTo("on");
        database.assertNothingLeft();
    }

    @Scenario
    void theWindowIsWaitedForAndThePlanSaysWhatWillBeDone() {
        Database database = CLUSTER.create(PostgresSpec.named("window"));
        Database.Standing before = database.standing();
        Declaration declaration = database.declare("policy.window", Map.of("schedule", "0 0 29 2 *", "duration", "1m"));
        DataChecksumsStatus status = declaration.awaitPhase(Phase.WAITING);
        assertThat(Declaration.condition(status, "Ready").reason()).isEqualTo("WindowClosed");
        var plan = Objects.requireNonNull(status.plan());
        var opens = Instant.parse(plan.notBefore()).atOffset(ZoneOffset.UTC);
        assertThat(opens.getMonthValue()).isEqualTo(2);
        assertThat(opens.getDayOfMonth()).isEqualTo(29);
        // PreferOnline, the default, and why it goes offline all the same.
        assertThat(plan.reason()).contains("pg_enable_data_checksums()");
        assertThat(plan.bytes()).isPositive();
        assertThat(plan.estimatedOutage()).isNotBlank();
        assertThat(database.standing()).isEqualTo(before);
        declaration.set("policy.window.schedule", "* * * * *");
        declaration.set("policy.window.duration", "1h");
        declaration.awaitConverged(DesiredState.ENABLED);
        database.assertNothingLeft();
    }

    @Scenario
    void aServerWithoutTheFunctionsIsNotConvertedOnline() {
        Database database = CLUSTER.create(PostgresSpec.named("online"));
        Database.Standing before = database.standing();
        Declaration declaration = database.declare("policy.method", "Online");
        BlockerStatus blocker = declaration.awaitBlocker("FunctionPresent");
        assertThat(blocker.message()).contains("pg_enable_data_checksums()");
        assertThat(blocker.remedy()).contains("PreferOnline", "Offline", "--no-data-checksums");
        DataChecksumsStatus status = declaration.awaitPhase(Phase.BLOCKED);
        assertThat(Declaration.condition(status, "OnlineCapable").status()).isEqualTo("False");
        assertThat(database.standing()).isEqualTo(before);
        declaration.set("policy.method", "Offline");
        declaration.awaitConverged(DesiredState.ENABLED);
    }

    @Scenario
    void aSuspendedResourceIsPlannedAndChangesNothing() {
        Database database = CLUSTER.create(PostgresSpec.named("suspended"));
        Database.Standing before = database.standing();
        Declaration declaration = database.declare("suspend", true);
        DataChecksumsStatus status = declaration.awaitPhase(Phase.SUSPENDED);
        assertThat(Objects.requireNonNull(status.plan()).reason()).isNotBlank();
        assertThat(Declaration.condition(status, "Ready").status()).isEqualTo("False");
        assertThat(database.standing()).isEqualTo(before);
    }

    @Scenario
    void deletingAResourceAtRestIsImmediateAndTouchesNothing() {
        Database database = CLUSTER.create(PostgresSpec.named("released").withChecksums(true));
        Database.Standing before = database.standing();
        Declaration declaration = database.declare();
        declaration.awaitConverged(DesiredState.ENABLED);
        assertThat(declaration.get().getMetadata().getFinalizers()).isEmpty();
        declaration.delete();
        declaration.awaitGone();
        assertThat(database.standing()).isEqualTo(before);
    }
}

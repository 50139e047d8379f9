package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.operator.offline.ConversionJob;
import dev.datachecksums.operator.offline.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A try fails: the server is back with the state that it had, the failure is counted, and it is tried again. */
@Tag("twice")
class FailedTriesE2E {
    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    @Scenario
    void theJobIsDeletedMidRewrite() throws Exception {
        fails("job-deleted", "slow", (database, declaration) -> {
            declaration.job().awaitStep(Step.REWRITING);
            CLUSTER.testbed().client().resource(declaration.job().jobs().get(0)).delete();
        });
    }

    @Scenario
    void theJobsPodIsDeletedMidRewrite() throws Exception {
        fails("job-pod-deleted", "slow", (database, declaration) -> {
            declaration.job().awaitStep(Step.REWRITING);
            CLUSTER.testbed().client().resource(declaration.job().pod()).delete();
        });
    }

    @Scenario
    void theJobsContainerIsKilledMidRewrite() throws Exception {
        fails("job-killed", "slow", (database, declaration) -> {
            declaration.job().awaitStep(Step.REWRITING);
            CLUSTER.testbed()
                    .killContainer(declaration.job().pod().getMetadata().getName(), ConversionJob.CONTAINER);
        });
    }

    @Scenario
    void theJobsPodIsKilledBeforeItsFirstPage() throws Exception {
        fails("job-forced", "hold", (database, declaration) -> {
            database.awaitFlag("running");
            CLUSTER.testbed().forceDelete(declaration.job().pod().getMetadata().getName());
        });
    }

    @FunctionalInterface
    private interface Accident {
        void happen(Database database, Declaration declaration) throws Exception;
    }

    private static void fails(String name, String flag, Accident accident) throws Exception {
        Database database =
                CLUSTER.filled(Tools.on(PostgresSpec.named(name)), 64).flag(flag);
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            Declaration declaration = database.declare();
            accident.happen(database, declaration);
            AttemptsStatus failed = failedOnce(declaration);
            assertThat(failed.lastReason()).isNotBlank();
            assertThat(failed.lastError()).isNotBlank();
            database.unflag(flag);
            database.server().awaitReady();
            assertThat(database.server().dataChecksums()).isEqualTo("off");
            assertThat(database.interlocked()).isFalse();
            assertThat(database.held()).isFalse();
            DataChecksumsStatus status = declaration.awaitConverged(DesiredState.ENABLED);
            assertThat(Objects.requireNonNull(status.lastConversion()).attempts())
                    .isEqualTo(2);
            assertThat(Declaration.attempts(status)).isZero();
            writer.close();
            assertThat(writer.missing()).isEmpty();
        }
        database.assertNothingLeft();
        database.assertWhole("on");
    }

    private static AttemptsStatus failedOnce(Declaration declaration) {
        return Objects.requireNonNull(declaration
                .await("a try has failed", s -> Declaration.attempts(s) == 1 && s.phase() == Phase.WAITING)
                .attempts());
    }

    @Scenario
    void aToolOfAnotherVersionIsRefusedBesideTheServingServer() {
        Database database =
                CLUSTER.create(Tools.on(PostgresSpec.named("wrong-tool"))).flag("wrong-version");
        Database.Standing before = database.standing();
        Declaration declaration = database.declare();
        AttemptsStatus failed = failedOnce(declaration);
        assertThat(failed.lastReason()).isEqualTo("ToolMatches");
        assertThat(failed.lastError()).contains("12.3");
        assertThat(database.standing()).isEqualTo(before);
        database.unflag("wrong-version");
        declaration.awaitConverged(DesiredState.ENABLED);
        database.assertNothingLeft();
    }

    @Scenario
    void aStrayFileIsRefusedBesideTheServingServer() throws Exception {
        Database database = CLUSTER.create(PostgresSpec.named("stray"));
        Database.Standing before = database.standing();
        Path stray = database.files().resolve("base").resolve("core.1");
        Files.writeString(stray, "not a relation");
        Declaration declaration = database.declare();
        AttemptsStatus failed = failedOnce(declaration);
        assertThat(failed.lastReason()).isEqualTo("StrayFile");
        assertThat(failed.lastError()).contains("base/core.1");
        assertThat(database.standing()).isEqualTo(before);
        Files.delete(stray);
        declaration.awaitConverged(DesiredState.ENABLED);
        database.assertNothingLeft();
        database.assertWhole("on");
    }

    @Scenario
    void triesEndAfterTheAllowedNumberUntilTheSpecChanges() {
        Database database =
                CLUSTER.create(Tools.on(PostgresSpec.named("given-up"))).flag("wrong-version");
        Declaration declaration = database.declare("policy.attempts", 1);
        DataChecksumsStatus status = declaration.awaitPhase(Phase.FAILED);
        assertThat(Declaration.condition(status, "Stalled").status()).isEqualTo("True");
        assertThat(Declaration.condition(status, "Ready").message()).contains("12.3");
        assertThat(declaration.eventReasons()).contains("AttemptsExhausted");
        database.assertNothingLeft();
        database.unflag("wrong-version");
        declaration.set("policy.attempts", 2);
        declaration.awaitConverged(DesiredState.ENABLED);
    }

    /** The image stops by SIGTERM, which waits for every client: the fast shutdown comes by SQL all the same. */
    @Scenario
    void aServerThatStopsBySigtermIsStoppedInSpiteOfAnIdleClient() throws Exception {
        stopped(CLUSTER.create(Tools.behindShell(PostgresSpec.named("sigterm"))));
    }

    @Scenario
    void aServerBehindADeafShellIsStopped() throws Exception {
        stopped(CLUSTER.create(Tools.behindDeafShell(PostgresSpec.named("deaf"))));
    }

    private static void stopped(Database database) throws Exception {
        try (Connection idle = database.server().connect()) {
            assertThat(idle.isValid(5)).isTrue();
            Declaration declaration = database.declare();
            DataChecksumsStatus status = declaration.awaitConverged(DesiredState.ENABLED);
            assertThat(Objects.requireNonNull(status.lastConversion()).attempts())
                    .isEqualTo(1);
        }
        assertThat(database.server().dataChecksums()).isEqualTo("on");
        database.assertNothingLeft();
    }
}

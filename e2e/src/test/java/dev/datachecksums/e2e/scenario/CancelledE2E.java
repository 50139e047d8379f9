package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The user changes their mind, or the outage takes too long: service is restored with the state that it had. */
@Tag("twice")
class CancelledE2E {
    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    /** Megabytes of data with which the pod is held while it is stopped, and with which it is not. */
    private static final int HELD = 96;

    private static final int BRIEF = 1;

    @Scenario
    void suspendedWhilePreparing() {
        Database database = CLUSTER.preparing("prepare-suspend");
        Database.Standing before = database.standing();
        suspended(database, before);
    }

    @Scenario
    void suspendedWhileRewriting() throws SQLException {
        Database database = CLUSTER.rewriting("rewrite-suspend", HELD);
        suspended(database, null);
    }

    private static void suspended(Database database, Database.@Nullable Standing before) {
        Declaration declaration = database.declared();
        declaration.set("suspend", true);
        DataChecksumsStatus status = declaration
                .awaitObject(
                        "suspended",
                        d -> d.getStatus().phase() == Phase.SUSPENDED
                                && d.getStatus().conversion() == null)
                .getStatus();
        assertThat(Declaration.attempts(status)).isZero();
        assertRestored(database);
        if (before != null) {
            assertThat(database.standing()).isEqualTo(before);
        }
        database.unlock();
        database.unflag("hold");
        declaration.set("suspend", false);
        declaration.awaitConverged(DesiredState.ENABLED);
        database.assertNothingLeft();
    }

    @Scenario
    void flippedWhilePreparing() {
        Database database = CLUSTER.preparing("prepare-flip");
        Database.Standing before = database.standing();
        flipped(database);
        assertThat(database.standing()).isEqualTo(before);
    }

    @Scenario
    void flippedWhileRewriting() throws SQLException {
        flipped(CLUSTER.rewriting("rewrite-flip", BRIEF));
    }

    private static void flipped(Database database) {
        Declaration declaration = database.declared();
        declaration.set("state", "Disabled");
        DataChecksumsStatus status = declaration.awaitConverged(DesiredState.DISABLED);
        assertThat(Declaration.attempts(status)).isZero();
        assertThat(status.lastConversion()).isNull();
        assertRestored(database);
        database.unlock();
    }

    @Scenario
    void deletedWhilePreparing() {
        Database database = CLUSTER.preparing("prepare-delete");
        Database.Standing before = database.standing();
        database.declared().delete();
        database.declared().awaitGone();
        assertRestored(database);
        assertThat(database.standing()).isEqualTo(before);
        database.unlock();
    }

    /** Also when nobody could log in any more. */
    @Scenario
    void deletedWhileRewritingNeedsNoDatabase() throws Exception {
        Secret login = CLUSTER.testbed()
                .client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("login")
                        .withNamespace(CLUSTER.testbed().namespace())
                        .endMetadata()
                        .withStringData(Map.of("username", "postgres", "password", "not-a-secret"))
                        .build())
                .create();
        Database database =
                CLUSTER.create(Tools.on(PostgresSpec.named("rewrite-delete"))).flag("hold");
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            Declaration declaration = database.declare("connection.credentials.secretName", "login");
            database.awaitFlag("running");
            CLUSTER.testbed().client().resource(login).delete();
            declaration.delete();
            declaration.awaitGone();
            database.server().awaitReady();
            writer.close();
            assertThat(writer.missing()).isEmpty();
        }
        assertRestored(database);
        database.assertWhole("off");
    }

    @Scenario
    void theOutageMayNotLastLonger() throws SQLException {
        Database database =
                CLUSTER.rewriting("rewrite-long", HELD, "policy.offline.maxOutage", "10s", "policy.attempts", 1);
        Declaration declaration = database.declared();
        DataChecksumsStatus status = declaration.awaitPhase(Phase.FAILED);
        AttemptsStatus attempts = Objects.requireNonNull(status.attempts());
        assertThat(attempts.count()).isEqualTo(1);
        assertThat(attempts.lastReason()).isEqualTo("DeadlineExceeded");
        assertRestored(database);
    }

    private static void assertRestored(Database database) {
        database.server().awaitReady();
        assertThat(database.server().dataChecksums()).isEqualTo("off");
        database.assertNothingLeft();
    }
}

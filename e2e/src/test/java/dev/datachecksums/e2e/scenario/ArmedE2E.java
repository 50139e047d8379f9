package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.e2e.load.AckedWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Between the interlock and the stop, when the server serves and could not start: what happens then must not leave it like that. To have it
 * last, the operator is not allowed to delete the pod.
 */
@Tag("twice")
class ArmedE2E {
    @RegisterExtension
    final Cluster cluster = Cluster.create();

    @Scenario
    void thePostmasterIsKilled() throws Exception {
        Database database = cluster.armed("armed-killed");
        cluster.testbed()
                .killContainer(database.server().podName(), database.server().container());
        cluster.testbed().allow("delete", "pods");
        Declaration declaration = database.declared();
        declaration.await("a try has failed", s -> Declaration.attempts(s) == 1);
        database.server().awaitReady();
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            declaration.awaitConverged(DesiredState.ENABLED);
            writer.close();
            assertThat(writer.missing()).isEmpty();
        }
        database.assertNothingLeft();
        database.assertWhole("on");
    }

    @Scenario
    void itIsSuspended() {
        Database database = cluster.armed("armed-suspended");
        Database.Standing before = database.standing();
        Declaration declaration = database.declared();
        declaration.set("suspend", true);
        declaration.awaitObject(
                "suspended",
                d -> d.getStatus().phase() == Phase.SUSPENDED && d.getStatus().conversion() == null);
        assertStillServing(database, before);
        assertThat(Declaration.attempts(declaration.status())).isZero();
        cluster.testbed().allow("delete", "pods");
        declaration.set("suspend", false);
        declaration.awaitConverged(DesiredState.ENABLED);
        database.assertNothingLeft();
    }

    @Scenario
    void itIsFlipped() {
        Database database = cluster.armed("armed-flipped");
        Database.Standing before = database.standing();
        Declaration declaration = database.declared();
        declaration.set("state", "Disabled");
        declaration.awaitConverged(DesiredState.DISABLED);
        assertStillServing(database, before);
        assertThat(Declaration.attempts(declaration.status())).isZero();
    }

    @Scenario
    void itIsDeleted() {
        Database database = cluster.armed("armed-deleted");
        Database.Standing before = database.standing();
        Declaration declaration = database.declared();
        declaration.delete();
        declaration.awaitGone();
        assertStillServing(database, before);
    }

    @Scenario
    void theStopIsNeverAllowed() {
        Database database = cluster.armed("armed-forbidden");
        Database.Standing before = database.standing();
        Declaration declaration = database.declared();
        declaration.await("a try has failed", s -> Declaration.attempts(s) == 1);
        declaration.awaitBlocker("Permissions");
        assertStillServing(database, before);
    }

    /** The same postmaster; its file may have gained and lost a line, and holds the same settings. */
    private static void assertStillServing(Database database, Database.Standing before) {
        database.assertNothingLeft();
        Database.Standing now = database.standing();
        assertThat(now.podUid()).isEqualTo(before.podUid());
        assertThat(now.started()).isEqualTo(before.started());
        assertThat(now.checksums()).isEqualTo("off");
        assertThat(now.restarts()).isZero();
        assertThat(database.server().query("select count(*) from pg_file_settings where error is not null"))
                .isEqualTo("0");
    }
}

package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.operator.offline.Step;
import dev.datachecksums.operator.postgres.Interlock;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** While pg_checksums works, people and controllers do what they do. */
@Tag("twice")
class MeddlingE2E {
    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    /** Starts a server on the data, again and again until the test has seen what it wants. */
    private static final String DEBUG = """
            while :; do
              postgres -D "$PGDATA" -c listen_addresses= -c unix_socket_directories=/tmp
              echo "ended with $?"
              [ ! -e "${PGDATA%/*}/seen" ] || exit 0
              sleep .2
            done 2>&1
            """;

    /** So much data that the pod is held meanwhile: its place stays taken. */
    @Scenario
    void aHeldPodsPlaceStaysTaken() throws Exception {
        Database database =
                CLUSTER.filled(Tools.on(PostgresSpec.named("held")), 96).flag("hold");
        meddle(database, true);
    }

    /** So little data that the interlock alone keeps the next pod's server away. */
    @Scenario
    void theNextPodMeetsTheInterlock() throws Exception {
        meddle(CLUSTER.create(Tools.on(PostgresSpec.named("brief"))).flag("hold"), false);
    }

    private static void meddle(Database database, boolean held) throws Exception {
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            Declaration declaration = database.declare();
            database.awaitFlag("running");
            String stopped = Objects.requireNonNull(
                    Objects.requireNonNull(declaration.status().conversion()).podUid());
            assertThat(database.held()).isEqualTo(held);

            CompletableFuture<String> debug =
                    CompletableFuture.supplyAsync(() -> database.server().runTool(DEBUG));
            declaration.awaitEvent("OtherPodOnVolume");
            database.flag("seen");
            String said = debug.get(4, TimeUnit.MINUTES);
            assertThat(said)
                    .contains("unrecognized configuration parameter \"" + Interlock.PARAMETER + "\"")
                    .contains("ended with 1")
                    .doesNotContain("ready to accept connections");

            patchSet(database, "{\"spec\":{\"replicas\":3}}");
            declaration.awaitEvent("ScaledMeanwhile");
            patchSet(database, "{\"spec\":{\"replicas\":0}}");
            CLUSTER.testbed().forceDelete(database.server().podName());
            patchSet(database, "{\"spec\":{\"replicas\":1}}");
            // What kubectl rollout restart does.
            patchSet(
                    database,
                    "{\"spec\":{\"template\":{\"metadata\":{\"annotations\":{\"kubectl.kubernetes.io/restartedAt\":\"now\"}}}}}");
            declaration.awaitEvent("RolloutMeanwhile");
            if (held) {
                assertThat(database.held()).isTrue();
                assertThat(database.pod().getMetadata().getUid()).isEqualTo(stopped);
            } else {
                // By plan, and so without an event of its own.
                await().atMost(Duration.ofMinutes(4)).until(() -> metTheInterlock(database, stopped));
            }
            assertThat(declaration.job().said(Step.CONVERTED)).isFalse();

            database.unflag("hold");
            DataChecksumsStatus status = declaration.awaitConverged(DesiredState.ENABLED);
            assertThat(Objects.requireNonNull(status.lastConversion()).attempts())
                    .isEqualTo(1);
            writer.close();
            database.server().awaitReady();
            assertThat(writer.missing()).isEmpty();
        }
        assertThat(database.pod().getMetadata().getAnnotations()).containsKey("kubectl.kubernetes.io/restartedAt");
        database.assertNothingLeft();
        database.assertWhole("on");
    }

    /** The next pod's server was started, and has ended at once. */
    private static boolean metTheInterlock(Database database, String stopped) {
        return database.server()
                .pod()
                .filter(p -> !p.getMetadata().getUid().equals(stopped))
                .filter(p -> p.getStatus().getContainerStatuses().stream().anyMatch(c -> c.getRestartCount() > 0))
                .isPresent();
    }

    private static void patchSet(Database database, String patch) {
        Testbed testbed = CLUSTER.testbed();
        testbed.client()
                .apps()
                .statefulSets()
                .inNamespace(testbed.namespace())
                .withName(database.server().name())
                .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch);
    }
}

package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.operator.instance.InstanceDriver;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.postgres.Interlock;
import dev.datachecksums.operator.postgres.ServerFacts;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an operator left that nobody remembers is found by the next one at its start, and lifted. */
@Tag("twice")
class OrphansE2E {
    @RegisterExtension
    final Cluster cluster = Cluster.create();

    @Scenario
    void aHeldPodAndItsInterlockAreLifted() throws Exception {
        Database database = cluster.create(PostgresSpec.named("held").withChecksums(true));
        Declaration declaration = database.declare();
        declaration.awaitConverged(DesiredState.ENABLED);
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            writer.awaitMore(50, java.time.Duration.ofSeconds(30));
            cluster.operator().stop();
            lock(database);
            PodResource pod = hold(database);
            pod.delete();
            Awaitility.await()
                    .atMost(4, TimeUnit.MINUTES)
                    .until(() -> List.of("Succeeded", "Failed")
                            .contains(pod.get().getStatus().getPhase()));
            cluster.operator().start();
            database.server().awaitReady();
            declaration.awaitConverged(DesiredState.ENABLED);
            writer.close();
            assertThat(writer.missing()).isEmpty();
        }
        assertThat(declaration.eventReasons()).contains("RemainsFound");
        database.assertNothingLeft();
        database.assertWhole("on");
    }

    /** As a restored base backup brings one along. */
    @Scenario
    void theInterlockOfARunningServerIsLifted() throws Exception {
        Database database = cluster.create(PostgresSpec.named("locked").withChecksums(true));
        Declaration declaration = database.declare();
        declaration.awaitConverged(DesiredState.ENABLED);
        cluster.operator().stop();
        lock(database);
        Database.Standing before = database.standing();
        cluster.operator().start();
        Awaitility.await().atMost(4, TimeUnit.MINUTES).until(() -> !database.interlocked());
        declaration.awaitConverged(DesiredState.ENABLED);
        database.assertNothingLeft();
        assertThat(database.standing().started()).isEqualTo(before.started());
    }

    @Scenario
    void aJobOfAnEarlierTryIsRemoved() {
        Database database = cluster.create(PostgresSpec.named("littered").withChecksums(true));
        Declaration declaration = database.declare();
        declaration.awaitConverged(DesiredState.ENABLED);
        cluster.operator().stop();
        Database.Standing before = database.standing();
        Map<String, String> labels = Map.of(
                JobNames.RESOURCE_UID,
                declaration.get().getMetadata().getUid(),
                JobNames.RESOURCE_NAME,
                "littered",
                JobNames.ROLE,
                "convert");
        cluster.testbed()
                .client()
                .resource(new JobBuilder()
                        .withNewMetadata()
                        .withName("dck-littered-old")
                        .withNamespace(cluster.testbed().namespace())
                        .withLabels(labels)
                        .endMetadata()
                        .withNewSpec()
                        .withBackoffLimit(0)
                        .withNewTemplate()
                        .withNewMetadata()
                        .withLabels(labels)
                        .endMetadata()
                        .withNewSpec()
                        .withRestartPolicy("Never")
                        .addNewContainer()
                        .withName("convert")
                        .withImage(
                                database.pod().getSpec().getContainers().get(0).getImage())
                        .withImagePullPolicy("IfNotPresent")
                        .withCommand("sh", "-c", "exit 1")
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();
        Awaitility.await()
                .atMost(4, TimeUnit.MINUTES)
                .until(() -> declaration.job().pods().stream()
                        .anyMatch(p -> p.getStatus().getPhase().equals("Failed")));
        cluster.operator().start();
        database.assertNothingLeft();
        declaration.awaitConverged(DesiredState.ENABLED);
        assertThat(database.standing()).isEqualTo(before);
    }

    /** Neither its declaration nor its workload is there any more: the Job still works, and the pod is held. */
    @Scenario
    void aTryWithoutDeclarationAndWorkloadIsEnded() throws Exception {
        Database database =
                cluster.filled(Tools.on(PostgresSpec.named("forgotten")), 96).flag("hold");
        Declaration declaration = database.declare();
        database.awaitFlag("running");
        assertThat(database.held()).isTrue();
        cluster.operator().stop();
        removeDeclarationAndWorkload(database);
        cluster.operator().start();
        awaitLetGo(database);
        assertThat(declaration.job().jobs()).isEmpty();
    }

    /** And its Job has gone, too: only the pod says where the data is. */
    @Scenario
    void aHeldPodOfNothingIsLetGoAndItsVolumeLifted() throws Exception {
        Database database = forgotten("left");
        cluster.operator().start();
        awaitLetGo(database);
    }

    /** The same of a copy that had the WAL already: the server cannot start before it is back. */
    @Scenario
    void aForgottenCopyGivesTheWalBack() throws Exception {
        Database database = forgotten("copied");
        Path files = database.files();
        Awaitility.await().atMost(4, TimeUnit.MINUTES).until(() -> !Files.exists(files.resolve("postmaster.pid")));
        Path copy = files.resolveSibling(files.getFileName() + ".dck");
        Files.createDirectory(copy);
        Files.setOwner(copy, Files.getOwner(files));
        Files.move(files.resolve("pg_wal"), copy.resolve("wal"));
        Path slot = files.resolve("pg_replslot").resolve(ServerFacts.STANDBY_SLOT);
        Files.createDirectory(slot);
        Files.setOwner(slot, Files.getOwner(files));
        cluster.operator().start();
        awaitLetGo(database);
        assertThat(copy).doesNotExist();
        assertThat(slot).doesNotExist();
    }

    /** A server that was stopped with its interlock and its hold; no operator runs, and only its pod is left. */
    private Database forgotten(String name) throws Exception {
        Database database = cluster.create(PostgresSpec.named(name).withChecksums(true));
        Declaration declaration = database.declare();
        declaration.awaitConverged(DesiredState.ENABLED);
        cluster.operator().stop();
        lock(database);
        hold(database);
        removeDeclarationAndWorkload(database);
        return database;
    }

    /** As the operator does before it stops the server. */
    private PodResource hold(Database database) {
        Testbed testbed = cluster.testbed();
        PodResource pod = testbed.client()
                .pods()
                .inNamespace(testbed.namespace())
                .withName(database.server().podName());
        pod.edit(p -> new PodBuilder(p)
                .editMetadata()
                .addToFinalizers(InstanceDriver.HOLD)
                .endMetadata()
                .build());
        return pod;
    }

    private void removeDeclarationAndWorkload(Database database) {
        Testbed testbed = cluster.testbed();
        var declaration = testbed.client()
                .resources(DataChecksums.class)
                .inNamespace(testbed.namespace())
                .withName(database.declared().name());
        declaration.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
        declaration.delete();
        testbed.client()
                .apps()
                .statefulSets()
                .inNamespace(testbed.namespace())
                .withName(database.server().name())
                .delete();
        Awaitility.await()
                .atMost(4, TimeUnit.MINUTES)
                .until(() -> declaration.get() == null
                        && database.pod().getMetadata().getDeletionTimestamp() != null);
    }

    /** No pod, no Job, and a volume that any server can start on. */
    private void awaitLetGo(Database database) {
        Testbed testbed = cluster.testbed();
        Awaitility.await()
                .atMost(4, TimeUnit.MINUTES)
                .until(() -> database.server().pod().isEmpty()
                        && testbed.client()
                                .pods()
                                .inNamespace(testbed.namespace())
                                .withLabel(JobNames.RESOURCE_UID)
                                .list()
                                .getItems()
                                .isEmpty());
        assertThat(database.interlocked()).isFalse();
        assertThat(List.of(database.files().toFile().list()))
                .contains("pg_wal", "PG_VERSION")
                .doesNotContain("pg_wal.dck", "postgresql.auto.conf.dck");
        Awaitility.await()
                .atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() -> assertThat(testbed.client()
                                .batch()
                                .v1()
                                .jobs()
                                .inNamespace(testbed.namespace())
                                .withLabel(JobNames.RESOURCE_UID)
                                .list()
                                .getItems())
                        .isEmpty());
    }

    private static void lock(Database database) throws Exception {
        Path file = database.files().resolve("postgresql.auto.conf");
        Files.write(
                file,
                (new Interlock("somebody").line() + "\n").getBytes(StandardCharsets.US_ASCII),
                StandardOpenOption.APPEND);
        assertThat(database.interlocked()).isTrue();
    }
}

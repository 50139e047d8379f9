package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.operator.instance.InstanceDriver;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.postgres.Interlock;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an operator left that nobody remembers is found by the next one at its start, and lifted. */
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
            Testbed testbed = cluster.testbed();
            var pod = testbed.client()
                    .pods()
                    .inNamespace(testbed.namespace())
                    .withName(database.server().podName());
            pod.edit(p -> new PodBuilder(p)
                    .editMetadata()
                    .addToFinalizers(InstanceDriver.HOLD)
                    .endMetadata()
                    .build());
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

    private static void lock(Database database) throws Exception {
        Path file = database.files().resolve("postgresql.auto.conf");
        Files.write(
                file,
                (new Interlock("somebody").line() + "\n").getBytes(StandardCharsets.US_ASCII),
                StandardOpenOption.APPEND);
        assertThat(database.interlocked()).isTrue();
    }
}

package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.BlockerStatus;
import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.load.ReadyWatch;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A Deployment of one pod. Nothing would keep its ReplicaSet from making the next pod at once, so that the pod is left as it is: its
 * container is started again in place, and may be while the Job still works. Then the interlock alone keeps its server from starting.
 */
@Tag("embedded")
class DeploymentE2E {
    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    /** In place work of less than half a second, by the estimate. */
    private static final int SHORT = 32;
    /** In place work of more than two seconds, by the estimate. */
    private static final int LONG = 320;

    private static Database deployed(String name, int megabytes) throws Exception {
        return CLUSTER.deployed(PostgresSpec.named(name), UnaryOperator.identity())
                .filled(megabytes);
    }

    private static RollableScalableResource<Deployment> deployment(String name) {
        Testbed testbed = CLUSTER.testbed();
        return testbed.client()
                .apps()
                .deployments()
                .inNamespace(testbed.namespace())
                .withName(name);
    }

    @Scenario
    void shortWorkIsDoneWhileThePodStays() throws Exception {
        Database database = deployed("deployed", SHORT);
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            Declaration declaration = database.declare("instanceRef.kind", "Deployment", "state", "Disabled");
            declaration.awaitConverged(DesiredState.DISABLED);
            try (ReadyWatch watch = declaration.watch(database.server())) {
                for (DesiredState state : List.of(DesiredState.ENABLED, DesiredState.DISABLED, DesiredState.ENABLED)) {
                    String before = database.pod().getMetadata().getUid();
                    declaration.set("state", state == DesiredState.ENABLED ? "Enabled" : "Disabled");
                    LastConversion last = last(declaration.awaitConverged(state));
                    assertThat(last.method()).isEqualTo(ConversionMethod.IN_PLACE);
                    assertThat(last.attempts())
                            .as(() -> "tries; what has been told: " + declaration.events())
                            .isEqualTo(1);
                    assertThat(database.pod().getMetadata().getUid()).isEqualTo(before);
                    assertThat(database.server().restarts()).isPositive();
                    writer.awaitMore(100, Duration.ofSeconds(30));
                }
                watch.close();
                Declaration.assertHonest(watch);
            }
            writer.close();
            assertThat(writer.missing()).isEmpty();
            assertThat(declaration.eventReasons())
                    .as("a restart that was planned is no interference")
                    .doesNotContain("PodMadeMeanwhile", "OtherPodOnVolume", "ScaledMeanwhile", "RolloutMeanwhile");
        }
        assertThat(deployment("deployed").get().getMetadata().getGeneration())
                .as("its specification is never touched")
                .isEqualTo(1);
        database.assertNothingLeft();
        database.assertWhole("on");
    }

    @Scenario
    void longWorkIsRefusedInPlaceAndDoneByACopy() throws Exception {
        Database database = deployed("deployed-long", LONG);
        Database.Standing before = database.standing();
        Declaration declaration = database.declare(
                "instanceRef.kind",
                "Deployment",
                "policy.offline.strategy",
                "InPlace",
                "policy.offline.minFreeSpace",
                "100Mi");
        BlockerStatus blocker = declaration.awaitBlocker("HoldPossible");
        assertThat(blocker.message()).contains("Deployment");
        assertThat(blocker.remedy()).contains("TemporaryStandby");
        assertThat(database.standing()).isEqualTo(before);
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            declaration.set("policy.offline.strategy", "Auto");
            LastConversion last = last(declaration.awaitConverged(DesiredState.ENABLED));
            assertThat(last.method()).isEqualTo(ConversionMethod.TEMPORARY_STANDBY);
            assertThat(last.attempts())
                    .as(() -> "tries; what has been told: " + declaration.events())
                    .isEqualTo(1);
            writer.awaitMore(100, Duration.ofSeconds(30));
            writer.close();
            assertThat(writer.missing()).isEmpty();
        }
        assertThat(database.pod().getMetadata().getUid()).isEqualTo(before.podUid());
        database.assertNothingLeft();
        database.assertWhole("on");
    }

    @Scenario
    void rolloutsThatOverlapAreRefused() {
        Database database = CLUSTER.deployed(
                PostgresSpec.named("overlapping"),
                d -> new DeploymentBuilder(d)
                        .editSpec()
                        .withNewStrategy()
                        .withType("RollingUpdate")
                        .endStrategy()
                        .endSpec()
                        .build());
        BlockerStatus blocker = refused(database, "RolloutStopsFirst");
        assertThat(blocker.message()).contains("RollingUpdate");
        assertThat(blocker.remedy()).contains("Recreate");
    }

    /** Its new template would come at any moment. */
    @Scenario
    void aPausedOneWithANewTemplateIsRefused() {
        Database database = CLUSTER.deployed(PostgresSpec.named("paused"), UnaryOperator.identity());
        deployment("paused")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"paused\":true,\"template\":{\"metadata\":{\"annotations\":{\"changed\":\"yes\"}}}}}");
        assertThat(refused(database, "PendingRollout").message()).contains("paused");
        assertThat(database.pod().getMetadata().getAnnotations()).doesNotContainKey("changed");
    }

    @Scenario
    void dataInAnEmptyDirIsRefused() {
        Database database = CLUSTER.deployed(
                PostgresSpec.named("deployed-volatile").withStorage(PostgresSpec.Storage.EMPTY_DIR),
                UnaryOperator.identity());
        assertThat(refused(database, "DataOnPersistentVolume").message()).contains("emptyDir");
    }

    private static BlockerStatus refused(Database database, String check) {
        Database.Standing before = database.standing();
        Declaration declaration = database.declare("instanceRef.kind", "Deployment");
        BlockerStatus blocker = declaration.awaitBlocker(check);
        assertThat(declaration.job().jobs()).isEmpty();
        assertThat(database.standing()).isEqualTo(before);
        return blocker;
    }

    private static LastConversion last(DataChecksumsStatus status) {
        return Objects.requireNonNull(status.lastConversion());
    }
}

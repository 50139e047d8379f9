package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.monitoring.Prometheus;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.operator.offline.JobNames;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A real scheduler refuses the Job's pod: a real Prometheus says that the conversion stands still, until it goes on. */
@Tag("cluster")
class StalledAlertE2E {
    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    @Scenario
    void conversionStalled() {
        Testbed testbed = CLUSTER.testbed();
        Database database = CLUSTER.create(PostgresSpec.named("waits"));
        try (Prometheus prometheus = Prometheus.start()) {
            prometheus.scrape(List.of(CLUSTER.operator().metricsAddress()));
            Pod unfriendly = testbed.client().resource(unfriendly(database)).create();
            testbed.client().resource(unfriendly).waitUntilReady(2, TimeUnit.MINUTES);
            Declaration declaration = database.declare("policy.attempts", 20);
            Map<String, String> labels = Map.of("namespace", testbed.namespace(), "name", declaration.name());
            assertThat(prometheus.awaitFiring("ConversionStalled", labels))
                    .contains(declaration.name(), "JobNotStarted");
            assertThat(Declaration.condition(declaration.status(), "Stalled").message())
                    .contains("Unschedulable");
            declaration.awaitEvent("JobNotStarted");
            assertThat(database.server().dataChecksums()).isEqualTo("off");
            testbed.client().resource(unfriendly).withGracePeriod(0).delete();
            declaration.awaitConverged(DesiredState.ENABLED);
            prometheus.awaitClear("ConversionStalled", labels);
        }
    }

    /** A pod that no conversion's pod may share the node with. */
    private static Pod unfriendly(Database database) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("unfriendly")
                .withNamespace(CLUSTER.testbed().namespace())
                .endMetadata()
                .withNewSpec()
                .withTerminationGracePeriodSeconds(0L)
                .addNewContainer()
                .withName("sleep")
                .withImage(database.pod().getSpec().getContainers().get(0).getImage())
                .withImagePullPolicy("IfNotPresent")
                .withCommand("sleep", "3600")
                .endContainer()
                .withNewAffinity()
                .withNewPodAntiAffinity()
                .addNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withTopologyKey("kubernetes.io/hostname")
                .withNewLabelSelector()
                .addNewMatchExpression()
                .withKey(JobNames.RESOURCE_UID)
                .withOperator("Exists")
                .endMatchExpression()
                .endLabelSelector()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endPodAntiAffinity()
                .endAffinity()
                .endSpec()
                .build();
    }
}

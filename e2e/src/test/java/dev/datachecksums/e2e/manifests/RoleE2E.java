package dev.datachecksums.e2e.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.e2e.load.Filler;
import dev.datachecksums.e2e.testbed.EmbeddedTestbed;
import dev.datachecksums.e2e.testbed.OperatorHandle;
import dev.datachecksums.e2e.testbed.Operators;
import dev.datachecksums.e2e.testbed.PostgresInstance;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.api.Access;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ClusterRole of the base grants what a conversion needs, and nothing that no road of it needs. */
@Tag("embedded")
class RoleE2E {
    /** What only a conversion asks for that did not go straight: why a Job does not start, and whose Job has its name already. */
    private static final Set<Access.Right> ONLY_ON_THE_WAY_BACK =
            Set.of(new Access.Right("list", "events"), new Access.Right("get", "jobs.batch"));
    /** So much that the pod is held. */
    private static final int MEGABYTES = 96;

    @Test
    void aConversionUsesEveryVerbThatIsGrantedAndNoOther() throws SQLException {
        try (EmbeddedTestbed testbed = EmbeddedTestbed.start()) {
            testbed.access().restrict(EmbeddedTestbed.OPERATOR, Manifests.granted());
            PostgresInstance server = testbed.createReady(PostgresSpec.named("role"));
            Filler.fill(server::connect, MEGABYTES);
            try (OperatorHandle operator = Operators.of(testbed)) {
                operator.start();
                testbed.client()
                        .resource(Declarations.of(server))
                        .inNamespace(testbed.namespace())
                        .create();
                awaitConverged(testbed, DesiredState.ENABLED);
                testbed.client()
                        .resources(DataChecksums.class)
                        .inNamespace(testbed.namespace())
                        .withName(server.name())
                        // the operator may be writing the status: a read object would be too old by then
                        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"state\":\"Disabled\"}}");
                awaitConverged(testbed, DesiredState.DISABLED);
                PostgresInstance deployed =
                        testbed.createDeployment(PostgresSpec.named("deployed"), UnaryOperator.identity());
                deployed.awaitReady();
                testbed.client()
                        .resource(Declarations.of(deployed, "Deployment"))
                        .inNamespace(testbed.namespace())
                        .create();
                awaitConverged(testbed, deployed.name(), DesiredState.ENABLED);
            }
            Set<Access.Right> used = testbed.access().used(EmbeddedTestbed.OPERATOR);
            assertThat(used)
                    .filteredOn(right -> !right.resource().endsWith(".authorization.k8s.io"))
                    .as("asked for by the operator")
                    .isSubsetOf(Manifests.granted());
            assertThat(Manifests.granted())
                    .filteredOn(right -> !ONLY_ON_THE_WAY_BACK.contains(right))
                    .as("granted by manifests/base/cluster-role.yaml")
                    .isSubsetOf(used);
        }
    }

    private static void awaitConverged(EmbeddedTestbed testbed, DesiredState state) {
        awaitConverged(testbed, "role", state);
    }

    private static void awaitConverged(EmbeddedTestbed testbed, String name, DesiredState state) {
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
            DataChecksums now = testbed.client()
                    .resources(DataChecksums.class)
                    .inNamespace(testbed.namespace())
                    .withName(name)
                    .get();
            assertThat(now.getStatus()).isNotNull();
            assertThat(now.getStatus().phase()).as(() -> testbed.dump()).isEqualTo(Phase.CONVERGED);
            assertThat(now.getStatus().observedGeneration())
                    .isEqualTo(now.getMetadata().getGeneration());
            assertThat(now.getSpec().state()).isEqualTo(state);
        });
    }
}

package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.testbed.ClusterTestbed;
import dev.datachecksums.e2e.testbed.DeploymentOperator;
import dev.datachecksums.e2e.testbed.Operators;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.operator.leader.Leadership;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The shipped Deployment with its two replicas is rolled while a server is stopped for its conversion. That one acts at a time is seen where
 * every call is: {@link ReplicasOfTheOperatorE2E}.
 */
@Tag("cluster")
class RollingUpdateE2E {
    private static final String[] FLAGS = {"--converting-interval=1s", "--blocked-interval=1s", "--resting-interval=1s"
    };

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void theConversionIsCarriedOnByTheNewReplicas() throws Exception {
        try (ClusterTestbed testbed = ClusterTestbed.open();
                DeploymentOperator operator = Operators.deployment(testbed, 2, FLAGS)) {
            operator.start();
            Database database =
                    new Database(testbed, testbed.createReady(Tools.on(PostgresSpec.named("rolled")))).filled(96);
            try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
                Declaration declaration = database.flag("hold").declare();
                database.awaitFlag("running");
                List<String> before = operator.podNames();
                assertThat(before).hasSize(2);
                ConversionStatus begun =
                        Objects.requireNonNull(declaration.status().conversion());

                operator.rollOut();
                assertThat(operator.podNames()).hasSize(2).doesNotContainAnyElementsOf(before);
                assertThat(Objects.requireNonNull(declaration.status().conversion())
                                .id())
                        .isEqualTo(begun.id());
                assertThat(database.held()).isTrue();

                database.unflag("hold");
                DataChecksumsStatus status = declaration.awaitConverged(DesiredState.ENABLED);
                assertThat(Objects.requireNonNull(status.lastConversion()).attempts())
                        .isEqualTo(1);
                assertThat(operator.podNames())
                        .contains(testbed.client()
                                .leases()
                                .inNamespace(testbed.namespace())
                                .withName(Leadership.NAME)
                                .get()
                                .getSpec()
                                .getHolderIdentity());
                database.server().awaitReady();
                writer.close();
                assertThat(writer.missing()).isEmpty();
            } catch (AssertionError | RuntimeException e) {
                System.err.println(testbed.dump() + operator.log());
                throw e;
            }
            database.assertNothingLeft();
            database.assertWhole("on");
        }
    }
}

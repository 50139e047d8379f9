package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A namespace with PodSecurity restricted, defaults that are too small, and a quota. */
@Tag("cluster")
class StrictNamespaceE2E {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    @Scenario
    void theJobsPodIsLetInAndAFullQuotaIsNamed() throws Exception {
        Testbed testbed = CLUSTER.testbed();
        testbed.client()
                .namespaces()
                .withName(testbed.namespace())
                .patch(
                        MERGE,
                        "{\"metadata\":{\"labels\":{\"pod-security.kubernetes.io/enforce\":\"restricted\","
                                + "\"pod-security.kubernetes.io/enforce-version\":\"latest\"}}}");
        testbed.client()
                .resource(new LimitRangeBuilder()
                        .withNewMetadata()
                        .withName("defaults")
                        .withNamespace(testbed.namespace())
                        .endMetadata()
                        .withNewSpec()
                        .addNewLimit()
                        .withType("Container")
                        .withDefault(Map.of("memory", new Quantity("64Mi"), "cpu", new Quantity("50m")))
                        .withDefaultRequest(Map.of("memory", new Quantity("16Mi"), "cpu", new Quantity("10m")))
                        .endLimit()
                        .endSpec()
                        .build())
                .create();
        // The operator's own pod, where it is deployed here, and the server's.
        int pods = 1
                + testbed.client()
                        .pods()
                        .inNamespace(testbed.namespace())
                        .list()
                        .getItems()
                        .size();
        var quota = testbed.client()
                .resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("quota")
                        .withNamespace(testbed.namespace())
                        .endMetadata()
                        .withNewSpec()
                        .withHard(Map.of(
                                "pods", new Quantity(Integer.toString(pods)),
                                "requests.cpu", new Quantity("1"),
                                "requests.memory", new Quantity("1Gi"),
                                "limits.cpu", new Quantity("2"),
                                "limits.memory", new Quantity("1Gi")))
                        .endSpec()
                        .build());
        quota.create();
        Database database = CLUSTER.create(PostgresSpec.named("strict"), OddPods.RESTRICTED);
        Database.Standing before = database.standing();
        Declaration declaration = database.declare();
        declaration.await(
                "told of the quota",
                s -> Declaration.condition(s, "Ready").message().contains("exceeded quota: quota"));
        assertThat(database.standing()).isEqualTo(before);

        quota.patch(MERGE, "{\"spec\":{\"hard\":{\"pods\":\"%d\"}}}".formatted(pods + 2));
        assertThat(Objects.requireNonNull(
                                declaration.awaitConverged(DesiredState.ENABLED).lastConversion())
                        .outage())
                .isNotNull();
        database.assertNothingLeft();
        database.assertWhole("on");
    }
}

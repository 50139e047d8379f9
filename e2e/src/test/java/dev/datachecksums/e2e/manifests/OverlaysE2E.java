package dev.datachecksums.e2e.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.Phase;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The overlay for one namespace, applied and removed as a person does it. The other one is the base; see {@link ChartE2E}. */
@Tag("cluster")
class OverlaysE2E {
    private static final String NAMESPACE = "databases";
    private static final String OVERLAY = "manifests/overlays/single-namespace";
    private static final String EVERYTHING =
            "deployments,replicasets,pods,services,serviceaccounts,roles,rolebindings,poddisruptionbudgets";

    private final KubernetesClient client = new KubernetesClientBuilder().build();

    @BeforeEach
    void makeTheNamespace() throws Exception {
        // As another test may have done it already.
        run("apply", "--server-side", "--force-conflicts", "-k", "manifests/crds");
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
    }

    @AfterEach
    void removeTheNamespace() {
        client.namespaces().withName(NAMESPACE).delete();
        client.close();
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void theOperatorOfOneNamespaceComesAndGoesBesideADatabase() throws Exception {
        run("-n", NAMESPACE, "apply", "-f", "manifests/samples/orders-db.yaml");
        List<String> applied = names(run("apply", "-k", OVERLAY));
        run("-n", NAMESPACE, "rollout", "status", "statefulset/orders-db", "--timeout=110s");
        run("-n", NAMESPACE, "rollout", "status", "deployment/datachecksums-operator", "--timeout=110s");
        client.resource(Serialization.unmarshal(
                        Manifests.text("samples/datachecksums.yaml").replace("spec:\n", "spec:\n  suspend: true\n"),
                        DataChecksums.class))
                .inNamespace(NAMESPACE)
                .create();
        // With the rights that it has there it sees the server, and what would be done.
        Resource<DataChecksums> declaration =
                client.resources(DataChecksums.class).inNamespace(NAMESPACE).withName("orders-db");
        await().atMost(Duration.ofMinutes(2))
                .until(() -> declaration.get().getStatus() != null
                        && declaration.get().getStatus().phase() == Phase.SUSPENDED
                        && declaration.get().getStatus().plan() != null);
        Pod before = database();
        assertThat(run("-n", NAMESPACE, "get", "leases", "-o", "jsonpath={.items[*].metadata.ownerReferences[*].kind}"))
                .isEqualTo("Deployment");

        List<String> deleted = names(run("delete", "-k", OVERLAY));
        assertThat(deleted).containsExactlyInAnyOrderElementsOf(applied);
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(run(
                                "-n",
                                NAMESPACE,
                                "get",
                                EVERYTHING,
                                "-o",
                                "name",
                                "-l",
                                "app.kubernetes.io/part-of=datachecksums"))
                        .isBlank());
        // It is no part of the manifests: the Deployment owns it.
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(run("-n", NAMESPACE, "get", "leases", "-o", "name"))
                        .isBlank());
        assertThat(declaration.get().getMetadata().getFinalizers()).isEmpty();
        Pod after = database();
        assertThat(after.getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
        assertThat(after.getMetadata().getFinalizers()).isEmpty();
        assertThat(after.getStatus().getContainerStatuses())
                .singleElement()
                .satisfies(c -> assertThat(c.getReady()).isTrue())
                .satisfies(c -> assertThat(c.getRestartCount()).isZero());
    }

    private Pod database() {
        return client.pods().inNamespace(NAMESPACE).withName("orders-db-0").get();
    }

    private static String run(String... arguments) throws IOException, InterruptedException {
        Kubectl.Result result = Kubectl.run(arguments);
        assertThat(result.code()).as(result.output()).isZero();
        assertThat(result.output()).doesNotContain("Warning");
        return result.output();
    }

    /** Of lines such as: deployment.apps/datachecksums-operator created; deployment.apps "datachecksums-operator" deleted. */
    private static List<String> names(String output) {
        return output.lines()
                .map(line -> line.replaceFirst("^(\\S+) \"([^\"]+)\" deleted.*$", "$1/$2")
                        .replaceFirst(" (created|configured|unchanged)$", ""))
                .toList();
    }
}

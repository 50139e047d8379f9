package dev.datachecksums.e2e.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real API server takes every manifest as it is. */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManifestsE2E {
    private static final String SYSTEM = "datachecksums-system";

    private final KubernetesClient client = new KubernetesClientBuilder().build();
    private final String namespace =
            "dck-manifests-" + UUID.randomUUID().toString().substring(0, 8);
    private boolean madeSystem;

    @BeforeAll
    void install() throws IOException, InterruptedException {
        // A dry run makes no namespace, and what goes into it would be refused.
        madeSystem = client.namespaces().withName(SYSTEM).get() == null;
        assertThat(Kubectl.run("apply", "-f", "manifests/base/namespace.yaml").code())
                .isZero();
        assertThat(Kubectl.run("apply", "-k", "manifests/crds").code()).isZero();
        client.resource(namespace(namespace)).create();
    }

    @AfterAll
    void tidy() {
        client.namespaces().withName(namespace).delete();
        if (madeSystem) {
            // Whoever installs the operator next must not meet a namespace that is on its way out.
            client.namespaces()
                    .withName(SYSTEM)
                    .withTimeout(60, TimeUnit.SECONDS)
                    .delete();
        }
        client.close();
    }

    @Test
    void theBaseIsTaken() throws IOException, InterruptedException {
        // By the server, as another owner: whatever is installed already, and however it was, is no matter.
        Kubectl.Result result = Kubectl.run(
                "apply",
                "-k",
                "manifests/base",
                "--dry-run=server",
                "--server-side",
                "--force-conflicts",
                "--field-manager=" + namespace);
        assertThat(result.code()).as(result.output()).isZero();
        assertThat(result.output())
                .contains("deployment.apps/datachecksums-operator", "service/datachecksums-operator-metrics")
                .doesNotContain("Warning", "error");
    }

    /** A Deployment is taken whatever its pods are; pod security and the priority are looked at with the pod. */
    @Test
    void itsPodWouldBeAdmitted() {
        PodTemplateSpec template =
                Manifests.only(Manifests.base(), Deployment.class).getSpec().getTemplate();
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withGenerateName("operator-")
                .withNamespace(SYSTEM)
                .withLabels(template.getMetadata().getLabels())
                .endMetadata()
                // Its account and its priority come with the base, which is not applied here.
                .withSpec(template.getSpec()
                        .edit()
                        .withServiceAccountName("default")
                        .withPriorityClassName(null)
                        .build())
                .build();
        assertThat(client.resource(pod).dryRun(true).create().getSpec().getSecurityContext())
                .isEqualTo(template.getSpec().getSecurityContext());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"orders-db.yaml", "deployment.yaml", "datachecksums.yaml", "datachecksums-every-field.yaml"})
    void samplesAreTaken(String sample) throws IOException, InterruptedException {
        Kubectl.Result result =
                Kubectl.run("-n", namespace, "apply", "--dry-run=server", "-f", "manifests/samples/" + sample);
        assertThat(result.code()).as(result.output()).isZero();
        assertThat(result.output()).doesNotContain("Warning");
    }

    @Test
    void noSampleIsLeftOut() {
        assertThat(List.of(Manifests.FOLDER.resolve("samples").toFile().list()))
                .containsExactlyInAnyOrder(
                        "orders-db.yaml", "deployment.yaml", "datachecksums.yaml", "datachecksums-every-field.yaml");
    }

    private static Namespace namespace(String name) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("pod-security.kubernetes.io/warn", "restricted")
                .endMetadata()
                .build();
    }
}

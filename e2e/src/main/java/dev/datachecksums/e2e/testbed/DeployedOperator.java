package dev.datachecksums.e2e.testbed;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The operator as a user installs it: its image, from {@code manifests/base}, under the roles that stand there; it watches one namespace.
 * Needs kubectl, and the image on the node.
 */
public final class DeployedOperator implements OperatorHandle {
    /** The namespace of the base. */
    public static final String NAMESPACE = "datachecksums-system";

    private static final String NAME = "datachecksums-operator";
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Duration LOOK = Duration.ofMillis(200);

    private final KubernetesClient client;
    private final String watched;
    private final Consumer<Pod> sigkill;
    private final List<HasMetadata> base;

    /**
     * Installs nothing yet.
     *
     * @param client that may do everything
     * @param watched the namespace that the operator looks after
     * @param sigkill kills the process of the operator's container
     */
    public DeployedOperator(KubernetesClient client, String watched, Consumer<Pod> sigkill) {
        this.client = client;
        this.watched = watched;
        this.sigkill = sigkill;
        this.base = client.load(new ByteArrayInputStream(kustomize())).items();
    }

    private static byte[] kustomize() {
        Path root = Stream.of(Path.of("."), Path.of(".."))
                .filter(folder -> Files.exists(folder.resolve("manifests/base/kustomization.yaml")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("manifests/base is not below this folder or its parent"));
        try {
            Process process = new ProcessBuilder("kubectl", "kustomize", "manifests/base")
                    .directory(root.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            byte[] yaml = process.getInputStream().readAllBytes();
            if (process.waitFor() != 0) {
                throw new IllegalStateException("kubectl kustomize manifests/base failed");
            }
            return yaml;
        } catch (IOException e) {
            throw new UncheckedIOException("kubectl cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Applies the base where it is not there yet, and waits until the operator is ready. */
    @Override
    public void start() {
        for (HasMetadata object : base) {
            if (object instanceof Deployment operator) {
                operator.getSpec().setReplicas(1);
                operator.getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getEnv()
                        .removeIf(e -> e.getName().equals("DATACHECKSUMS_WATCH_NAMESPACES"));
                operator.getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getEnv()
                        .add(new EnvVar("DATACHECKSUMS_WATCH_NAMESPACES", watched, null));
            }
            client.resource(object).forceConflicts().serverSideApply();
        }
        deployment()
                .waitUntilCondition(
                        d -> d != null
                                && d.getStatus() != null
                                && Objects.equals(
                                        d.getStatus().getObservedGeneration(),
                                        d.getMetadata().getGeneration())
                                && Objects.equals(d.getStatus().getUpdatedReplicas(), 1)
                                && Objects.equals(d.getStatus().getReadyReplicas(), 1),
                        LIMIT.toSeconds(),
                        TimeUnit.SECONDS);
    }

    /** Scales it to none and waits until its pod has gone. */
    @Override
    public void stop() {
        deployment().scale(0);
        for (long i = 0; !pods().isEmpty(); i++) {
            if (i == LIMIT.toMillis() / LOOK.toMillis()) {
                throw new IllegalStateException("the operator's pod is still there after " + LIMIT);
            }
            Pause.of(LOOK);
        }
    }

    /** SIGKILL to its process. The kubelet starts another in the same pod; {@link #start} waits for it. */
    @Override
    public void kill() {
        sigkill.accept(pod().orElseThrow(() -> new IllegalStateException("the operator does not run")));
    }

    @Override
    public boolean running() {
        return pod().filter(p -> p.getStatus().getContainerStatuses().stream().anyMatch(ContainerStatus::getReady))
                .isPresent();
    }

    /** Its pod, if there is one that is not on its way out. */
    public Optional<Pod> pod() {
        return pods().stream()
                .filter(p -> p.getMetadata().getDeletionTimestamp() == null)
                .findFirst();
    }

    /** What it has logged. */
    @Override
    public String log() {
        return pod().map(p -> client.pods().resource(p).getLog()).orElse("");
    }

    /** Removes all of the base but the custom resource and the namespaces: declarations stay. */
    @Override
    public void close() {
        for (HasMetadata object : base) {
            if (!(object instanceof CustomResourceDefinition) && !(object instanceof Namespace)) {
                client.resource(object)
                        .withTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS)
                        .delete();
            }
        }
    }

    private List<Pod> pods() {
        return client.pods()
                .inNamespace(NAMESPACE)
                .withLabel("app.kubernetes.io/name", NAME)
                .list()
                .getItems();
    }

    private RollableScalableResource<Deployment> deployment() {
        return client.apps().deployments().inNamespace(NAMESPACE).withName(NAME);
    }
}

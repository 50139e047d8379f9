package dev.datachecksums.e2e.testbed;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * The operator as it is shipped: the image that {@code make image} built and somebody loaded, in the Deployment of the base, under its
 * Roles. It watches the testbed's namespace only.
 */
public final class DeploymentOperator implements OperatorHandle {
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final String CONTAINER = "operator";

    private final ClusterTestbed testbed;
    private final KubernetesClient client;
    private final Deployment deployment;

    DeploymentOperator(ClusterTestbed testbed, int replicas, List<String> flags) {
        this.testbed = testbed;
        this.client = testbed.client();
        Deployment shipped = testbed.installation().deployment();
        this.deployment = new DeploymentBuilder(shipped)
                .editMetadata()
                .withNamespace(testbed.namespace())
                .endMetadata()
                .editSpec()
                .withReplicas(replicas)
                .editTemplate()
                .editSpec()
                .editFirstContainer()
                // The base's kustomization names the tag.
                .withImage(shipped.getSpec()
                                .getTemplate()
                                .getSpec()
                                .getContainers()
                                .get(0)
                                .getImage() + ":" + System.getenv().getOrDefault("DCK_VERSION", "0.1.0-SNAPSHOT"))
                .addAllToEnv(flags.stream().map(DeploymentOperator::variable).toList())
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    /** A flag such as {@code --resting-interval=1s} as the variable that means the same. */
    private static EnvVar variable(String flag) {
        String[] parts = flag.substring(2).split("=", 2);
        String name = "DATACHECKSUMS_" + parts[0].toUpperCase(Locale.ROOT).replace('-', '_');
        return new EnvVarBuilder().withName(name).withValue(parts[1]).build();
    }

    private RollableScalableResource<Deployment> handle() {
        return client.apps()
                .deployments()
                .inNamespace(testbed.namespace())
                .withName(deployment.getMetadata().getName());
    }

    @Override
    public void start() {
        client.resource(deployment).forceConflicts().serverSideApply();
        await("ready", () -> pods().stream().anyMatch(Readiness::isPodReady));
    }

    /** As {@code kubectl rollout restart} does, and waits for its end: every pod is a new one, and ready. */
    public void rollOut() {
        handle().rolling().restart();
        await("rolled out", () -> {
            Deployment now = handle().get();
            DeploymentStatus status = now.getStatus();
            int wanted = now.getSpec().getReplicas();
            return status != null
                    && now.getMetadata().getGeneration().equals(status.getObservedGeneration())
                    && Integer.valueOf(wanted).equals(status.getUpdatedReplicas())
                    && Integer.valueOf(wanted).equals(status.getReadyReplicas())
                    && Integer.valueOf(wanted).equals(status.getReplicas())
                    && pods().size() == wanted;
        });
    }

    /** The names of the pods that are there. */
    public List<String> podNames() {
        return pods().stream().map(p -> p.getMetadata().getName()).sorted().toList();
    }

    @Override
    public void stop() {
        handle().delete();
        await("gone", () -> pods().isEmpty());
    }

    /** The kubelet starts it again at once; {@link #start} waits for that. */
    @Override
    public void kill() {
        String pod = pods().get(0).getMetadata().getName();
        int before = restarts();
        testbed.killContainer(pod, CONTAINER);
        await("killed", () -> restarts() > before || pods().stream().noneMatch(Readiness::isPodReady));
    }

    private int restarts() {
        return pods().stream()
                .flatMap(p -> p.getStatus().getContainerStatuses().stream())
                .mapToInt(s -> s.getRestartCount())
                .sum();
    }

    private List<Pod> pods() {
        return testbed.installation().pods();
    }

    @Override
    public boolean running() {
        return handle().get() != null;
    }

    @Override
    public String metricsAddress() {
        return pods().get(0).getStatus().getPodIP() + ":8080";
    }

    @Override
    public String log() {
        StringBuilder text = new StringBuilder();
        for (Pod pod : pods()) {
            text.append(client.pods().resource(pod).inContainer(CONTAINER).getLog());
        }
        return text.toString();
    }

    private void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the operator's pod is not " + what + ":\n" + testbed.dump());
            }
            Pause.of(Duration.ofMillis(50));
        }
    }
}

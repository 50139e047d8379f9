package dev.datachecksums.e2e.testbed;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Where the pod of a server is found, by the kind of what runs it. */
interface ServerPods {

    /** The one that is there, or is to stay; empty between two incarnations. */
    Optional<Pod> pod();

    /** The pod's name; of a pod without a fixed one, what it begins with while there is none. */
    String podName();

    String claimName();

    /** Whether no pod of it is there, not even one that is going. */
    boolean gone();

    void scale(int replicas);

    /** The pod of a StatefulSet with that ordinal. */
    static ServerPods ofStatefulSet(KubernetesClient client, String namespace, String name, int ordinal) {
        return new ServerPods() {
            @Override
            public Optional<Pod> pod() {
                return Optional.ofNullable(
                        client.pods().inNamespace(namespace).withName(podName()).get());
            }

            @Override
            public String podName() {
                return name + "-" + ordinal;
            }

            @Override
            public String claimName() {
                return PostgresObjects.VOLUME + "-" + podName();
            }

            @Override
            public boolean gone() {
                return pod().isEmpty();
            }

            @Override
            public void scale(int replicas) {
                client.apps()
                        .statefulSets()
                        .inNamespace(namespace)
                        .withName(name)
                        .patch(PatchContext.of(PatchType.JSON_MERGE), replicas(replicas));
            }
        };
    }

    /** The pod of a Deployment: its name is made up, and for a while there may be two. */
    static ServerPods ofDeployment(KubernetesClient client, String namespace, String name) {
        return new ServerPods() {
            private List<Pod> pods() {
                return client.pods()
                        .inNamespace(namespace)
                        .withLabel("app", name)
                        .list()
                        .getItems();
            }

            @Override
            public Optional<Pod> pod() {
                return pods().stream()
                        .max(Comparator.<Pod, Boolean>comparing(p -> !p.isMarkedForDeletion())
                                .thenComparing(p -> p.getMetadata().getCreationTimestamp()));
            }

            @Override
            public String podName() {
                return pod().map(p -> p.getMetadata().getName()).orElse(name);
            }

            @Override
            public String claimName() {
                return PostgresObjects.claimOfDeployment(name);
            }

            @Override
            public boolean gone() {
                return pods().isEmpty();
            }

            @Override
            public void scale(int replicas) {
                client.apps()
                        .deployments()
                        .inNamespace(namespace)
                        .withName(name)
                        .patch(PatchContext.of(PatchType.JSON_MERGE), replicas(replicas));
            }
        };
    }

    private static String replicas(int n) {
        return "{\"spec\":{\"replicas\":%d}}".formatted(n);
    }
}

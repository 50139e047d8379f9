package dev.datachecksums.operator.instance;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Deployments of one pod. Its ReplicaSet makes the next pod as soon as this one is marked for deletion, whatever finalizer it
 * carries, so that the two are there at the same time for a while; the names of both are made up.
 */
final class Deployments implements WorkloadKind {

    private final KubernetesClient client;

    Deployments(KubernetesClient client) {
        this.client = client;
    }

    @Override
    public String kind() {
        return WorkloadFacts.DEPLOYMENT;
    }

    @Override
    public Optional<Workload> find(Calls calls, String name) {
        return calls.ask(
                        "get",
                        "deployments.apps",
                        () -> Optional.ofNullable(client.apps()
                                .deployments()
                                .inNamespace(calls.namespace())
                                .withName(name)
                                .get()))
                .map(d -> new Found(d, replicaSets(calls, d)));
    }

    private List<ReplicaSet> replicaSets(Calls calls, Deployment deployment) {
        return calls
                .ask(
                        "list",
                        "replicasets.apps",
                        () -> client.apps()
                                .replicaSets()
                                .inNamespace(calls.namespace())
                                .withLabelSelector(deployment.getSpec().getSelector())
                                .list()
                                .getItems())
                .stream()
                .filter(r -> Workload.controls(deployment, r))
                .toList();
    }

    private record Found(Deployment deployment, List<ReplicaSet> sets) implements Workload {

        @Override
        public boolean controls(Pod pod) {
            return sets.stream().anyMatch(r -> Workload.controls(r, pod));
        }

        /** A rollout begins by itself here; what counts is that none is under way, or waits for a paused Deployment. */
        @Override
        public Optional<String> pending(Pod pod, List<Pod> pods) {
            String name = "Deployment " + deployment.getMetadata().getName();
            if (deployment.getMetadata().getDeletionTimestamp() != null) {
                return Optional.of(name + " is marked for deletion: no pod would come back");
            }
            if (Boolean.TRUE.equals(deployment.getSpec().getPaused())) {
                return Optional.of(name + " is paused: somebody is changing it, and resumes it at any moment");
            }
            DeploymentStatus status = deployment.getStatus();
            Long generation = deployment.getMetadata().getGeneration();
            if (status == null
                    || status.getObservedGeneration() == null
                    || (generation != null && status.getObservedGeneration() < generation)) {
                return Optional.of("the controller has not seen the newest change of " + name + " yet");
            }
            int updated = status.getUpdatedReplicas() == null ? 0 : status.getUpdatedReplicas();
            int all = status.getReplicas() == null ? 0 : status.getReplicas();
            if (updated < all) {
                return Optional.of(name + " is being rolled out: " + (all - updated) + " of its " + all
                        + " pods have not its newest template");
            }
            return Optional.empty();
        }

        @Override
        public WorkloadFacts facts(List<Pod> pods, PodDescriber describer) {
            int replicas = deployment.getSpec().getReplicas() == null
                    ? 1
                    : deployment.getSpec().getReplicas();
            WorkloadFacts facts = pods.stream()
                    .filter(this::controls)
                    .filter(Found::mayRun)
                    // the one that is to stay, where one is going; of several the newest
                    .max(Comparator.<Pod, Boolean>comparing(p -> p.getMetadata().getDeletionTimestamp() == null)
                            .thenComparing(p -> p.getMetadata().getCreationTimestamp()))
                    .map(p -> describer.describe(p, replicas, pending(p, pods), List.of()))
                    .orElseGet(() -> describer.withoutPod(replicas));
            return recreates()
                    ? facts
                    : facts.overlapping("Deployment " + deployment.getMetadata().getName()
                            + " has the strategy RollingUpdate, whose rollouts start the next pod beside the one that"
                            + " serves: two servers on one data directory, which ruins it");
        }

        /** One that was evicted or has failed is left lying by its ReplicaSet, which makes another. */
        private static boolean mayRun(Pod pod) {
            String phase = pod.getStatus() == null ? "" : pod.getStatus().getPhase();
            return !"Succeeded".equals(phase) && !"Failed".equals(phase);
        }

        private boolean recreates() {
            return deployment.getSpec().getStrategy() != null
                    && "Recreate".equals(deployment.getSpec().getStrategy().getType());
        }
    }
}

package dev.datachecksums.operator.instance;

import dev.datachecksums.operator.instance.WorkloadFacts.Node;
import dev.datachecksums.operator.observe.Fact;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** StatefulSets; of several pods each is a node with data of its own. */
final class StatefulSets implements WorkloadKind {

    private final KubernetesClient client;

    StatefulSets(KubernetesClient client) {
        this.client = client;
    }

    @Override
    public String kind() {
        return "StatefulSet";
    }

    @Override
    public Optional<Workload> find(Calls calls, String name) {
        return calls.ask(
                        "get",
                        "statefulsets.apps",
                        () -> Optional.ofNullable(client.apps()
                                .statefulSets()
                                .inNamespace(calls.namespace())
                                .withName(name)
                                .get()))
                .map(Found::new);
    }

    private record Found(StatefulSet set) implements Workload {

        @Override
        public boolean controls(Pod pod) {
            return Workload.controls(set, pod);
        }

        @Override
        public Optional<String> pending(Pod pod, List<Pod> pods) {
            return Rollout.pending(set, pod);
        }

        @Override
        public WorkloadFacts facts(List<Pod> pods, PodDescriber describer) {
            int replicas =
                    set.getSpec().getReplicas() == null ? 1 : set.getSpec().getReplicas();
            int start = Rollout.start(set);
            WorkloadFacts first = facts(start, replicas, pods, describer);
            List<Node> nodes = new ArrayList<>();
            // One that was scaled away is a node for as long as its pod is there: it may be held.
            IntStream.concat(
                            IntStream.range(start, start + replicas),
                            pods.stream()
                                    .filter(this::controls)
                                    .flatMapToInt(
                                            p -> Rollout.ordinal(p).stream().mapToInt(n -> n)))
                    .sorted()
                    .distinct()
                    .forEach(n -> nodes.add(new Node(
                            name(n),
                            n == start ? first : facts(n, replicas, pods, describer),
                            Fact.missing("NotAsked", "the server was not asked", "none is needed"),
                            Managers.of(set))));
            return first.among(nodes);
        }

        private WorkloadFacts facts(int ordinal, int replicas, List<Pod> pods, PodDescriber describer) {
            return pods.stream()
                    .filter(p -> name(ordinal).equals(p.getMetadata().getName()) && controls(p))
                    .findFirst()
                    .map(p -> describer.describe(p, replicas, Rollout.pending(set, p), onePodClaims(p)))
                    .orElseGet(() -> describer.withoutPod(replicas));
        }

        private String name(int ordinal) {
            return set.getMetadata().getName() + "-" + ordinal;
        }

        /** By the set's own templates: the claims themselves need not be read for it. */
        private List<String> onePodClaims(Pod pod) {
            return set.getSpec().getVolumeClaimTemplates().stream()
                    .filter(t -> t.getSpec().getAccessModes() != null
                            && t.getSpec().getAccessModes().contains("ReadWriteOncePod"))
                    .map(t ->
                            t.getMetadata().getName() + "-" + pod.getMetadata().getName())
                    .toList();
        }
    }
}

package dev.datachecksums.operator.instance;

import dev.datachecksums.api.v1alpha1.InstanceRef;
import dev.datachecksums.operator.instance.WorkloadFacts.DataVolume;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.List;
import java.util.Optional;

/** Describes one pod of a workload: its container, its volumes, who else uses them. The same for every kind of workload. */
final class PodDescriber {

    private final InstanceRef ref;
    private final Optional<Directories> directories;
    private final List<Pod> pods;
    private final List<PodDisruptionBudget> budgets;
    private final String ownLabel;
    private final Refusals refusals;

    /** Whether a container of a pod that does not come up says in its log that our interlocks keep it from starting. */
    interface Refusals {
        boolean named(Pod pod, String container);
    }

    PodDescriber(
            InstanceRef ref,
            Optional<Directories> directories,
            List<Pod> pods,
            List<PodDisruptionBudget> budgets,
            String ownLabel,
            Refusals refusals) {
        this.ref = ref;
        this.directories = directories;
        this.pods = pods;
        this.budgets = budgets;
        this.ownLabel = ownLabel;
        this.refusals = refusals;
    }

    /** A workload of which there is no pod. */
    WorkloadFacts withoutPod(int replicas) {
        return WorkloadFacts.withoutPod(ref.kind(), ref.name(), replicas);
    }

    /**
     * The workload, as seen from that pod.
     *
     * @param pending why deleting the pod would also roll out a change
     * @param onePodClaims claims of the workload that one pod only may have at a time
     */
    WorkloadFacts describe(Pod pod, int replicas, Optional<String> pending, List<String> onePodClaims) {
        Optional<Container> container = container(pod);
        Optional<String> unknown = Optional.ofNullable(ref.container()).filter(c -> container.isEmpty());
        List<DataVolume> volumes = container
                .flatMap(c -> directories.map(d -> Volumes.of(pod, c, d)))
                .orElse(List.of());
        List<String> claims = volumes.stream().flatMap(v -> v.claim().stream()).toList();
        PodFacts facts = PodReader.read(pod, container.map(Container::getName));
        return new WorkloadFacts(
                ref.kind(),
                ref.name(),
                replicas,
                Optional.of(facts),
                pending,
                Budgets.against(pod, budgets),
                container.map(Container::getName),
                unknown,
                volumes,
                Volumes.otherPods(pods, pod, claims, ownLabel),
                onePodClaims.stream().filter(claims::contains).toList(),
                container.isPresent() && interlocked(facts, container.get().getName()));
    }

    private Optional<Container> container(Pod pod) {
        return ref.container() == null
                ? Volumes.container(pod, directories.map(Directories::data))
                : pod.getSpec().getContainers().stream()
                        .filter(c -> c.getName().equals(ref.container()))
                        .findFirst();
    }

    /** Asked only of a server that does not come up: a log read at every look would be a waste. */
    private boolean interlocked(PodFacts pod, String container) {
        return !pod.ready() && PodReader.restarted(pod, container) && refusals.named(pod.raw(), container);
    }
}

package dev.datachecksums.operator.instance;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A workload as it was read. Pure. */
interface Workload {

    /** Whether the pod is one of its, by its owner and not by its labels. */
    boolean controls(Pod pod);

    /**
     * Why deleting the pod would change more than a restart does, in words.
     *
     * @param pods all of the namespace
     */
    Optional<String> pending(Pod pod, List<Pod> pods);

    /**
     * Describes it.
     *
     * @param pods all of the namespace
     */
    WorkloadFacts facts(List<Pod> pods, PodDescriber describer);

    /** Whether the owner is the object's controller. */
    static boolean controls(HasMetadata owner, HasMetadata object) {
        return object.getMetadata().getOwnerReferences() != null
                && object.getMetadata().getOwnerReferences().stream()
                        .anyMatch(o -> Boolean.TRUE.equals(o.getController())
                                && Objects.equals(
                                        o.getUid(), owner.getMetadata().getUid()));
    }
}

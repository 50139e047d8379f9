package dev.datachecksums.operator.instance;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.RollingUpdateStatefulSetStrategy;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.fabric8.kubernetes.api.model.apps.StatefulSetUpdateStrategy;
import java.util.Map;
import java.util.Optional;

/**
 * Whether deleting a pod of a StatefulSet would bring back a different one. The controller makes a pod from the update
 * revision, and from the current one below the partition of a RollingUpdate. Pure.
 */
final class Rollout {

    private static final String REVISION = "controller-revision-hash";
    /** What a Deployment calls it. */
    private static final String TEMPLATE = "pod-template-hash";

    private Rollout() {}

    /** Why deleting the pod would change more than a restart does, in words. */
    static Optional<String> pending(StatefulSet set, Pod pod) {
        String name = set.getMetadata().getName();
        if (set.getMetadata().getDeletionTimestamp() != null) {
            return Optional.of("StatefulSet " + name + " is marked for deletion: no pod would come back");
        }
        StatefulSetStatus status = set.getStatus();
        Long generation = set.getMetadata().getGeneration();
        if (status == null
                || status.getObservedGeneration() == null
                || (generation != null && status.getObservedGeneration() < generation)) {
            return Optional.of("the controller has not seen the newest change of StatefulSet " + name + " yet");
        }
        int ordinal = ordinal(pod).orElse(start(set));
        String next = expected(set, ordinal);
        String now = revision(pod).orElse(null);
        if (next == null || next.isEmpty()) {
            return Optional.of("StatefulSet " + name + " names no revision for its pods yet");
        }
        if (!next.equals(now)) {
            return Optional.of(
                    "pod " + pod.getMetadata().getName() + " has revision " + now + ", and would come back with " + next
                            + ": its deletion would roll out a change of the template that was not rolled out yet");
        }
        return Optional.empty();
    }

    /** The revision from which the controller would make the pod of that ordinal. */
    private static String expected(StatefulSet set, int ordinal) {
        StatefulSetUpdateStrategy strategy = set.getSpec().getUpdateStrategy();
        RollingUpdateStatefulSetStrategy rolling = strategy == null ? null : strategy.getRollingUpdate();
        int partition = rolling == null || rolling.getPartition() == null ? 0 : rolling.getPartition();
        return ordinal < start(set) + partition
                ? set.getStatus().getCurrentRevision()
                : set.getStatus().getUpdateRevision();
    }

    /** The revision that a pod was made from. */
    static Optional<String> revision(Pod pod) {
        return Optional.ofNullable(labels(pod).get(REVISION))
                .or(() -> Optional.ofNullable(labels(pod).get(TEMPLATE)));
    }

    /** The first ordinal. */
    static int start(StatefulSet set) {
        return set.getSpec().getOrdinals() == null
                        || set.getSpec().getOrdinals().getStart() == null
                ? 0
                : set.getSpec().getOrdinals().getStart();
    }

    static Optional<Integer> ordinal(Pod pod) {
        String name = pod.getMetadata().getName();
        try {
            return Optional.of(Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Map<String, String> labels(Pod pod) {
        return pod.getMetadata().getLabels() == null
                ? Map.of()
                : pod.getMetadata().getLabels();
    }
}

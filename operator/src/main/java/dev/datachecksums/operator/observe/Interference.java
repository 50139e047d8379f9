package dev.datachecksums.operator.observe;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.NodeStatus;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What others do to the workload while a conversion has it stopped. The interlocks keep every postmaster from getting
 * through, so nothing is done about it; it is told, once each.
 *
 * @param reason one CamelCase word, the reason of the event
 * @param message what was seen
 */
public record Interference(String reason, String message) {

    private static final String HARMLESS = "; the interlock keeps any server from starting on the data meanwhile";

    /**
     * What is seen now; nothing where no conversion is under way.
     *
     * @param replaced whether the next pod is made while the work goes on, by plan
     */
    public static List<Interference> of(Observation o, boolean replaced) {
        List<Interference> seen = new ArrayList<>();
        if (o.conversion().isEmpty() || o.workload().seen().isEmpty()) {
            return seen;
        }
        ConversionStatus c = o.conversion().get();
        WorkloadFacts w = o.workload().seen().get();
        // The one that was stopped may still be going when a Deployment's next one is there, which is told below.
        List<String> others =
                w.otherPods().stream().filter(p -> !p.equals(c.pod())).toList();
        if (!others.isEmpty()) {
            seen.add(new Interference(
                    "OtherPodOnVolume",
                    "another pod uses the volume while it is converted: " + String.join(", ", others) + HARMLESS));
        }
        List<NodeStatus> nodes = o.status().nodes();
        if (w.replicas() != (nodes == null ? 1 : nodes.size())) {
            seen.add(new Interference(
                    "ScaledMeanwhile",
                    "the workload was scaled to " + w.replicas() + " while it is converted" + HARMLESS));
        }
        w.pendingRollout()
                .or(() -> w.pod().flatMap(p -> rolledOut(p, c)))
                .ifPresent(why -> seen.add(new Interference(
                        "RolloutMeanwhile",
                        "a rollout was started while the instance is converted: " + why + HARMLESS)));
        w.pod()
                .filter(p -> !replaced && stranger(p, c))
                .ifPresent(p -> seen.add(new Interference(
                        "PodMadeMeanwhile",
                        "the pod " + p.name() + " was made anew before the conversion had ended" + HARMLESS)));
        return seen;
    }

    /** With no pod there its controller makes the next one from the new template at once: nothing is ever pending. */
    private static Optional<String> rolledOut(PodFacts p, ConversionStatus c) {
        return p.revision()
                .filter(r -> c.podRevision() != null && !r.equals(c.podRevision()))
                .map(r -> "pod " + p.name() + " came back with revision " + r + ", it had " + c.podRevision());
    }

    /** A pod that is not the one we stopped, whose server met the interlock. */
    private static boolean stranger(PodFacts p, ConversionStatus c) {
        return !p.uid().equals(c.podUid()) && p.crashing();
    }
}

package dev.datachecksums.operator.offline;

import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Why a Job has no running pod, in words: the API server's own, with its reason before them. Pure. */
final class JobProblems {

    /** A container that is simply not there yet. */
    private static final Set<String> USUAL = Set.of("ContainerCreating", "PodInitializing");

    private static final int LONGEST = 500;

    private JobProblems() {}

    /** What keeps a pod from running. */
    static Optional<String> of(Pod pod) {
        if (pod.getStatus() == null) {
            return Optional.empty();
        }
        Optional<String> unscheduled = pod.getStatus().getConditions().stream()
                .filter(c -> "PodScheduled".equals(c.getType()) && "False".equals(c.getStatus()))
                .map(c -> words(c.getReason(), c.getMessage()))
                .findFirst();
        Optional<String> refused = "Failed".equals(pod.getStatus().getPhase())
                        && pod.getStatus().getReason() != null
                ? Optional.of(words(pod.getStatus().getReason(), pod.getStatus().getMessage()))
                : Optional.empty();
        return unscheduled.or(() -> waiting(pod)).or(() -> refused);
    }

    private static Optional<String> waiting(Pod pod) {
        return pod.getStatus().getContainerStatuses().stream()
                .map(JobProblems::waiting)
                .flatMap(Optional::stream)
                .filter(w -> w.getReason() != null && !USUAL.contains(w.getReason()))
                .map(w -> words(w.getReason(), w.getMessage()))
                .findFirst();
    }

    private static Optional<ContainerStateWaiting> waiting(ContainerStatus status) {
        return Optional.ofNullable(status.getState()).map(s -> s.getWaiting());
    }

    /** The newest warning among events. */
    static Optional<String> of(List<Event> events) {
        return events.stream()
                .filter(e -> "Warning".equals(e.getType()))
                .max(Comparator.comparing(JobProblems::time))
                .map(e -> words(e.getReason(), e.getMessage()));
    }

    private static Instant time(Event e) {
        if (e.getLastTimestamp() != null) {
            return Instant.parse(e.getLastTimestamp());
        }
        return e.getEventTime() == null || e.getEventTime().getTime() == null
                ? Instant.EPOCH
                : Instant.parse(e.getEventTime().getTime());
    }

    private static String words(@Nullable String reason, @Nullable String message) {
        String text = (reason == null ? "Unknown" : reason) + (message == null ? "" : ": " + message.strip());
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
    }
}

package dev.datachecksums.operator.instance;

import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads a pod's state. Pure. */
final class PodReader {

    private PodReader() {}

    /**
     * Reads a pod.
     *
     * @param container the one that runs PostgreSQL; empty where it is not known, and then every container counts
     */
    static PodFacts read(Pod pod, Optional<String> container) {
        List<ContainerStatus> statuses = statuses(pod).stream()
                .filter(s -> container.isEmpty() || container.get().equals(s.getName()))
                .toList();
        Optional<Instant> deleting = deleting(pod);
        List<String> finalizers = pod.getMetadata().getFinalizers();
        return new PodFacts(
                pod.getMetadata().getName(),
                pod.getMetadata().getUid(),
                Optional.ofNullable(pod.getStatus()).map(s -> s.getPodIP()).filter(ip -> !ip.isEmpty()),
                Optional.ofNullable(pod.getSpec().getNodeName()).filter(n -> !n.isEmpty()),
                ready(pod),
                finalizers != null && finalizers.contains(InstanceDriver.HOLD),
                deleting,
                ended(pod, statuses, deleting.isPresent()),
                statuses.stream().anyMatch(PodReader::crashing),
                pod);
    }

    /** The API server writes into deletionTimestamp when the grace ends, not when it began. */
    private static Optional<Instant> deleting(Pod pod) {
        Long grace = pod.getMetadata().getDeletionGracePeriodSeconds();
        return Optional.ofNullable(pod.getMetadata().getDeletionTimestamp())
                .map(end -> Instant.parse(end).minusSeconds(grace == null ? 0 : grace));
    }

    private static boolean ready(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus()));
    }

    /**
     * Terminated for good. A container of a live pod that has terminated is started again by the kubelet, so it does
     * not count; one that waits in a pod marked for deletion may just be starting, so it does not count either, until
     * the kubelet has written the pod's last phase.
     */
    private static boolean ended(Pod pod, List<ContainerStatus> statuses, boolean deleting) {
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        if ("Succeeded".equals(phase) || "Failed".equals(phase)) {
            return true;
        }
        if (deleting && pod.getSpec().getNodeName() == null) {
            return true;
        }
        boolean stays = deleting || "Never".equals(pod.getSpec().getRestartPolicy());
        return stays && !statuses.isEmpty() && statuses.stream().allMatch(s -> state(s).getTerminated() != null);
    }

    private static boolean crashing(ContainerStatus status) {
        boolean restarted = status.getRestartCount() != null && status.getRestartCount() >= 1;
        return restarted
                || (state(status).getWaiting() != null
                        && "CrashLoopBackOff".equals(state(status).getWaiting().getReason()));
    }

    static boolean restarted(PodFacts pod, String container) {
        return statuses(pod.raw()).stream()
                .anyMatch(
                        s -> container.equals(s.getName()) && s.getRestartCount() != null && s.getRestartCount() >= 1);
    }

    private static ContainerState state(ContainerStatus status) {
        return status.getState() == null ? new ContainerState() : status.getState();
    }

    private static List<ContainerStatus> statuses(Pod pod) {
        return pod.getStatus() == null || pod.getStatus().getContainerStatuses() == null
                ? List.of()
                : pod.getStatus().getContainerStatuses();
    }
}

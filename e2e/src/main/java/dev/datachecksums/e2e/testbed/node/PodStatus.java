package dev.datachecksums.e2e.testbed.node;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.Json;
import java.time.Instant;
import java.util.List;

/** Writes what the kubelet reports of a pod. */
final class PodStatus {
    private final ObjectNode pod;
    private final String address;
    private final ClusterObjects objects;
    private final Instant created = Instant.now();

    PodStatus(ObjectNode pod, String address, ClusterObjects objects) {
        this.pod = pod;
        this.address = address;
        this.objects = objects;
    }

    /**
     * Writes it.
     *
     * @param started whether its volumes are there and its containers have been started
     * @param over whether it was stopped and nothing of it runs
     */
    void write(List<ContainerRunner> containers, boolean started, boolean over) {
        String phase = phase(containers, started, over);
        boolean ready = !containers.isEmpty() && containers.stream().allMatch(ContainerRunner::ready);
        objects.changeStatus(ClusterObjects.PODS, pod, status -> {
            status.put("phase", phase).put("podIP", address).put("hostIP", EmbeddedNode.HOST_IP);
            status.putArray("podIPs").addObject().put("ip", address);
            status.put("startTime", Json.time(created));
            ClusterObjects.condition(status, "PodScheduled", true, "", "");
            ClusterObjects.condition(status, "Initialized", true, "", "");
            String reason = phase.equals("Succeeded") ? "PodCompleted" : "ContainersNotReady";
            String message = "containers with unready status";
            for (String type : List.of("ContainersReady", "Ready")) {
                ClusterObjects.condition(status, type, ready, ready ? "" : reason, message);
            }
            ArrayNode statuses = status.putArray("containerStatuses");
            containers.forEach(c -> statuses.add(c.status(ClusterObjects.uid(pod))));
        });
    }

    private String phase(List<ContainerRunner> containers, boolean started, boolean over) {
        boolean ended = !containers.isEmpty() && containers.stream().allMatch(ContainerRunner::terminated);
        boolean failed = containers.stream().anyMatch(c -> c.terminated() && c.failed());
        String policy = Json.text(pod, "spec.restartPolicy");
        boolean restarts = policy.equals("Always") || (policy.equals("OnFailure") && failed);
        if (over || (ended && !restarts)) {
            return failed || containers.isEmpty() ? "Failed" : "Succeeded";
        }
        return started && containers.stream().anyMatch(ContainerRunner::everStarted) ? "Running" : "Pending";
    }
}

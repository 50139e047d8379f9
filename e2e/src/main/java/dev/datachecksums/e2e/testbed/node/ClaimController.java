package dev.datachecksums.e2e.testbed.node;

import static dev.datachecksums.e2e.testbed.node.ClusterObjects.BUDGETS;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.CLAIMS;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.PODS;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.hasFinalizer;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.namespace;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.phase;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.terminating;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.Json;
import java.util.List;

/**
 * Binds claims, keeps those that a pod uses, and wipes the directory of one that is deleted; keeps the figures of disruption budgets.
 */
final class ClaimController implements ControlLoop.Controller {
    private static final String PROTECTION = "kubernetes.io/pvc-protection";

    private final ClusterObjects objects;
    private final Volumes volumes;

    ClaimController(ClusterObjects objects, Volumes volumes) {
        this.objects = objects;
        this.volumes = volumes;
    }

    @Override
    public void reconcile(ControlLoop.Again again) {
        for (ObjectNode claim : objects.list(CLAIMS)) {
            if (terminating(claim)) {
                if (hasFinalizer(claim, PROTECTION) && !used(claim)) {
                    volumes.wipe(claim);
                    objects.removeFinalizer(CLAIMS, claim, PROTECTION);
                }
            } else if (!phase(claim).equals("Bound")) {
                bind(claim);
            }
        }
        objects.list(BUDGETS).forEach(this::count);
    }

    private void bind(ObjectNode claim) {
        objects.change(CLAIMS, claim, c -> {
            ObjectNode metadata = ClusterObjects.metadata(c);
            if (!hasFinalizer(c, PROTECTION)) {
                metadata.withArray("finalizers").add(PROTECTION);
            }
            ObjectNode spec = (ObjectNode) c.get("spec");
            spec.put("volumeName", "pvc-" + ClusterObjects.uid(c));
            if (!spec.hasNonNull("storageClassName")) {
                spec.put("storageClassName", "standard");
            }
        });
        objects.changeStatus(CLAIMS, claim, status -> {
            status.put("phase", "Bound");
            status.set("accessModes", Json.at(claim, "spec.accessModes"));
            status.putObject("capacity").set("storage", Json.at(claim, "spec.resources.requests.storage"));
        });
    }

    private boolean used(ObjectNode claim) {
        return objects.list(PODS, namespace(claim)).stream()
                .filter(pod -> !List.of("Succeeded", "Failed").contains(phase(pod)))
                .flatMap(pod -> Json.items(Json.at(pod, "spec.volumes")).stream())
                .anyMatch(v -> Json.text(v, "persistentVolumeClaim.claimName").equals(ClusterObjects.name(claim)));
    }

    private void count(ObjectNode budget) {
        JsonNode labels = Json.at(budget, "spec.selector.matchLabels");
        List<ObjectNode> pods = objects.list(PODS, namespace(budget)).stream()
                .filter(pod -> labels.properties().stream()
                        .allMatch(e -> pod.path("metadata")
                                .path("labels")
                                .path(e.getKey())
                                .equals(e.getValue())))
                .toList();
        int healthy = (int) pods.stream()
                .filter(p -> ClusterObjects.conditionHolds(p, "Ready") && !terminating(p))
                .count();
        JsonNode most = Json.at(budget, "spec.maxUnavailable");
        int desired = most.isMissingNode()
                ? scaled(Json.at(budget, "spec.minAvailable"), pods.size())
                : Math.max(0, pods.size() - scaled(most, pods.size()));
        objects.changeStatus(
                BUDGETS,
                budget,
                status -> status.put(
                                "observedGeneration",
                                Json.at(budget, "metadata.generation").asLong())
                        .put("expectedPods", pods.size())
                        .put("currentHealthy", healthy)
                        .put("desiredHealthy", desired)
                        .put("disruptionsAllowed", Math.max(0, healthy - desired)));
    }

    /** A number, or a percentage of a number, rounded up. */
    private static int scaled(JsonNode intOrPercent, int of) {
        String text = intOrPercent.asText("1");
        return text.endsWith("%")
                ? (int) Math.ceil(Integer.parseInt(text.substring(0, text.length() - 1)) * of / 100.0)
                : Integer.parseInt(text);
    }
}

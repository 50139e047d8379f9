package dev.datachecksums.e2e.testbed.node;

import static dev.datachecksums.e2e.testbed.node.ClusterObjects.DEPLOYMENTS;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.PODS;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.REPLICA_SETS;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.name;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.namespace;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.terminating;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The Deployment controller: a ReplicaSet for each template. Recreate waits until the old pods have ended, RollingUpdate starts the new ones
 * beside the old ones (by 25 %, so for one pod one more); a paused one is only scaled.
 */
final class DeploymentController implements ControlLoop.Controller {
    private static final String HASH = "pod-template-hash";

    private final ClusterObjects objects;

    DeploymentController(ClusterObjects objects) {
        this.objects = objects;
    }

    @Override
    public void reconcile(ControlLoop.Again again) {
        for (ObjectNode deployment : objects.list(DEPLOYMENTS)) {
            if (!terminating(deployment)) {
                reconcile(deployment);
            }
        }
    }

    private void reconcile(ObjectNode deployment) {
        String hash = hash(deployment);
        String name = name(deployment) + "-" + hash;
        List<ObjectNode> all = objects.ownedBy(deployment, REPLICA_SETS);
        Optional<ObjectNode> newest =
                all.stream().filter(set -> name(set).equals(name)).findFirst();
        List<ObjectNode> old =
                all.stream().filter(set -> !name(set).equals(name)).toList();
        if (Json.at(deployment, "spec.paused").asBoolean()) {
            newest.ifPresent(set -> scale(set, replicas(deployment)));
        } else if (Json.text(deployment, "spec.strategy.type").equals("Recreate")) {
            old.forEach(set -> scale(set, 0));
            if (old.stream().allMatch(set -> objects.ownedBy(set, PODS).isEmpty())) {
                ensure(deployment, hash, newest);
            }
        } else {
            ensure(deployment, hash, newest);
            if (newest.filter(set -> available(set) >= replicas(deployment)).isPresent()) {
                old.forEach(set -> scale(set, 0));
            }
        }
        report(deployment, all, newest);
    }

    private void ensure(ObjectNode deployment, String hash, Optional<ObjectNode> found) {
        if (found.isPresent()) {
            scale(found.get(), replicas(deployment));
            return;
        }
        ObjectNode set = Json.object();
        ObjectNode metadata = set.putObject("metadata").put("name", name(deployment) + "-" + hash);
        metadata.putArray("ownerReferences").add(ClusterObjects.ownerReference(deployment));
        ObjectNode spec = set.putObject("spec").put("replicas", replicas(deployment));
        spec.set("selector", Json.at(deployment, "spec.selector").deepCopy());
        Json.child(Json.child(spec, "selector"), "matchLabels").put(HASH, hash);
        spec.set("template", Json.at(deployment, "spec.template").deepCopy());
        Json.child(Json.child(Json.child(spec, "template"), "metadata"), "labels")
                .put(HASH, hash);
        metadata.set("labels", Json.at(spec, "template.metadata.labels").deepCopy());
        objects.create(REPLICA_SETS, namespace(deployment), set);
    }

    private void scale(ObjectNode set, int replicas) {
        if (Json.at(set, "spec.replicas").asInt() != replicas) {
            objects.change(REPLICA_SETS, set, s -> Json.child(s, "spec").put("replicas", replicas));
        }
    }

    private void report(ObjectNode deployment, List<ObjectNode> all, Optional<ObjectNode> newest) {
        int total = all.stream().mapToInt(DeploymentController::counted).sum();
        int available = all.stream().mapToInt(DeploymentController::available).sum();
        objects.changeStatus(DEPLOYMENTS, deployment, status -> {
            status.put(
                    "observedGeneration",
                    Json.at(deployment, "metadata.generation").asLong());
            put(status, "replicas", total);
            put(
                    status,
                    "updatedReplicas",
                    newest.map(DeploymentController::counted).orElse(0));
            put(status, "readyReplicas", available);
            put(status, "availableReplicas", available);
            put(status, "unavailableReplicas", Math.max(0, total - available));
            ClusterObjects.condition(
                    status,
                    "Available",
                    available >= replicas(deployment),
                    "MinimumReplicasAvailable",
                    "as many pods as wanted are available");
        });
    }

    /** Zero is left out, as in the real status. */
    private static void put(ObjectNode status, String key, int value) {
        if (value == 0) {
            status.remove(key);
        } else {
            status.put(key, value);
        }
    }

    private static int counted(ObjectNode set) {
        return Json.at(set, "status.replicas").asInt(0);
    }

    private static int available(ObjectNode set) {
        return Json.at(set, "status.availableReplicas").asInt(0);
    }

    private static int replicas(ObjectNode deployment) {
        return Json.at(deployment, "spec.replicas").asInt(1);
    }

    private static String hash(ObjectNode deployment) {
        JsonNode template = Json.at(deployment, "spec.template");
        CRC32 sum = new CRC32();
        sum.update(template.toString().getBytes(StandardCharsets.UTF_8));
        return Long.toString(sum.getValue() + (1L << 32), 36);
    }
}

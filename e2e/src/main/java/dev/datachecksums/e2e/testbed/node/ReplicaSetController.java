package dev.datachecksums.e2e.testbed.node;

import static dev.datachecksums.e2e.testbed.node.ClusterObjects.PODS;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.REPLICA_SETS;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.name;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.namespace;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.phase;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.terminating;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.Json;
import java.util.List;

/**
 * The ReplicaSet controller: a pod that is marked for deletion, or has failed, is replaced at once, whatever still runs in it and whatever
 * finalizer it carries.
 */
final class ReplicaSetController implements ControlLoop.Controller {
    private static final String COMPONENT = "replicaset-controller";

    private final ClusterObjects objects;

    ReplicaSetController(ClusterObjects objects) {
        this.objects = objects;
    }

    @Override
    public void reconcile(ControlLoop.Again again) {
        for (ObjectNode set : objects.list(REPLICA_SETS)) {
            if (!terminating(set)) {
                reconcile(set);
            }
        }
    }

    private void reconcile(ObjectNode set) {
        List<ObjectNode> active = active(set);
        int wanted = Json.at(set, "spec.replicas").asInt(1);
        for (int i = active.size(); i < wanted; i++) {
            create(set);
        }
        // Those first that do not serve.
        active.stream()
                .sorted((a, b) -> Boolean.compare(ready(a), ready(b)))
                .limit(Math.max(0, active.size() - wanted))
                .forEach(pod -> objects.delete(PODS, pod));
        report(set);
    }

    private List<ObjectNode> active(ObjectNode set) {
        return objects.ownedBy(set, PODS).stream()
                .filter(pod ->
                        !terminating(pod) && !List.of("Failed", "Succeeded").contains(phase(pod)))
                .toList();
    }

    private void create(ObjectNode set) {
        ObjectNode pod = (ObjectNode) Json.at(set, "spec.template").deepCopy();
        ObjectNode metadata = Json.child(pod, "metadata");
        metadata.put("generateName", name(set) + "-")
                .putArray("ownerReferences")
                .add(ClusterObjects.ownerReference(set));
        if (objects.create(PODS, namespace(set), pod)) {
            objects.event(set, COMPONENT, "Normal", "SuccessfulCreate", "created a pod of ReplicaSet " + name(set));
        }
    }

    private void report(ObjectNode set) {
        List<ObjectNode> active = active(set);
        int ready = (int) active.stream().filter(ReplicaSetController::ready).count();
        objects.changeStatus(REPLICA_SETS, set, status -> {
            status.put("observedGeneration", Json.at(set, "metadata.generation").asLong());
            status.put("replicas", active.size());
            status.put("readyReplicas", ready);
            status.put("availableReplicas", ready);
        });
    }

    private static boolean ready(ObjectNode pod) {
        return ClusterObjects.conditionHolds(pod, "Ready");
    }
}

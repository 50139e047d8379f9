package dev.datachecksums.e2e.testbed.node;

import static dev.datachecksums.e2e.testbed.node.ClusterObjects.CLAIMS;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.PODS;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.REVISIONS;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.STATEFUL_SETS;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.name;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.namespace;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.phase;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.terminating;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.Json;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The StatefulSet controller: pods with ordinals and claims, one after the other; a pod is made again only once its object is gone, so a
 * finalizer on it holds the place. Revisions as the real one keeps them, OnDelete and RollingUpdate with a partition.
 */
final class StatefulSetController implements ControlLoop.Controller {
    private static final String COMPONENT = "statefulset-controller";
    private static final String REVISION = "controller-revision-hash";

    private final ClusterObjects objects;

    StatefulSetController(ClusterObjects objects) {
        this.objects = objects;
    }

    @Override
    public void reconcile(ControlLoop.Again again) {
        for (ObjectNode set : objects.list(STATEFUL_SETS)) {
            if (!terminating(set)) {
                reconcile(set);
            }
        }
    }

    private void reconcile(ObjectNode set) {
        String update = ensureRevision(set);
        String current = Json.text(set, "status.currentRevision");
        if (current.isEmpty()) {
            current = update;
        }
        boolean settled = createMissing(set, current, update) && removeSurplus(set);
        if (settled) {
            rollOut(set, update);
        }
        report(set, current, update);
    }

    /** Whether every wanted pod is there, is not going and, where order counts, is ready. */
    private boolean createMissing(ObjectNode set, String current, String update) {
        boolean ordered = !Json.text(set, "spec.podManagementPolicy").equals("Parallel");
        boolean complete = true;
        for (int ordinal = 0; ordinal < replicas(set); ordinal++) {
            Optional<ObjectNode> found = objects.find(PODS, namespace(set), name(set) + "-" + ordinal);
            if (found.isEmpty()) {
                create(set, ordinal, ordinal < partition(set) ? current : update);
                complete = false;
            } else if (!terminating(found.get())
                    && List.of("Failed", "Succeeded").contains(phase(found.get()))) {
                objects.event(
                        set,
                        COMPONENT,
                        "Warning",
                        "RecreatingFailedPod",
                        "StatefulSet %s/%s is recreating failed Pod %s"
                                .formatted(namespace(set), name(set), name(found.get())));
                objects.delete(PODS, found.get());
                complete = false;
            } else if (terminating(found.get()) || !ready(found.get())) {
                complete = false;
            }
            if (!complete && ordered) {
                return false;
            }
        }
        return complete;
    }

    private boolean removeSurplus(ObjectNode set) {
        Optional<ObjectNode> last = objects.ownedBy(set, PODS).stream()
                .filter(pod -> ordinal(pod) >= replicas(set))
                .max(Comparator.comparingInt(StatefulSetController::ordinal));
        if (last.isEmpty()) {
            removeClaimsOfScaledDown(set);
            return true;
        }
        if (!terminating(last.get())) {
            objects.event(
                    set,
                    COMPONENT,
                    "Normal",
                    "SuccessfulDelete",
                    "delete Pod %s in StatefulSet %s successful".formatted(name(last.get()), name(set)));
            objects.delete(PODS, last.get());
        }
        return false;
    }

    private void removeClaimsOfScaledDown(ObjectNode set) {
        if (!Json.text(set, "spec.persistentVolumeClaimRetentionPolicy.whenScaled")
                .equals("Delete")) {
            return;
        }
        for (JsonNode template : Json.at(set, "spec.volumeClaimTemplates")) {
            String prefix = Json.text(template, "metadata.name") + "-" + name(set) + "-";
            for (ObjectNode claim : objects.list(CLAIMS, namespace(set))) {
                String rest = name(claim).startsWith(prefix) ? name(claim).substring(prefix.length()) : "";
                if (rest.matches("\\d+") && Integer.parseInt(rest) >= replicas(set) && !terminating(claim)) {
                    objects.delete(CLAIMS, claim);
                }
            }
        }
    }

    private void rollOut(ObjectNode set, String update) {
        if (!Json.text(set, "spec.updateStrategy.type").equals("RollingUpdate")) {
            return;
        }
        objects.ownedBy(set, PODS).stream()
                .filter(pod -> ordinal(pod) >= partition(set) && !revision(pod).equals(update))
                .max(Comparator.comparingInt(StatefulSetController::ordinal))
                .filter(pod -> !terminating(pod))
                .ifPresent(pod -> objects.delete(PODS, pod));
    }

    private void create(ObjectNode set, int ordinal, String revision) {
        String podName = name(set) + "-" + ordinal;
        ObjectNode pod = template(set, revision).deepCopy();
        ObjectNode metadata = pod.get("metadata") instanceof ObjectNode m ? m : pod.putObject("metadata");
        metadata.put("name", podName).putArray("ownerReferences").add(ClusterObjects.ownerReference(set));
        ObjectNode labels = metadata.get("labels") instanceof ObjectNode l ? l : metadata.putObject("labels");
        labels.put(REVISION, revision).put("statefulset.kubernetes.io/pod-name", podName);
        labels.put("apps.kubernetes.io/pod-index", Integer.toString(ordinal));
        ObjectNode spec = (ObjectNode) pod.get("spec");
        spec.put("hostname", podName).put("subdomain", Json.text(set, "spec.serviceName"));
        for (JsonNode template : Json.at(set, "spec.volumeClaimTemplates")) {
            String volume = Json.text(template, "metadata.name");
            ObjectNode claim = template.deepCopy();
            ObjectNode claimMetadata = (ObjectNode) claim.get("metadata");
            claimMetadata.put("name", volume + "-" + podName);
            claimMetadata.set(
                    "labels", Json.at(set, "spec.selector.matchLabels").deepCopy());
            claim.remove("status");
            if (objects.find(CLAIMS, namespace(set), volume + "-" + podName).isEmpty()
                    && objects.create(CLAIMS, namespace(set), claim)) {
                objects.event(
                        set,
                        COMPONENT,
                        "Normal",
                        "SuccessfulCreate",
                        "create Claim %s-%s Pod %s in StatefulSet %s success"
                                .formatted(volume, podName, podName, name(set)));
            }
            ObjectNode mounted = spec.withArray("volumes").addObject().put("name", volume);
            mounted.putObject("persistentVolumeClaim").put("claimName", volume + "-" + podName);
        }
        if (objects.create(PODS, namespace(set), pod)) {
            objects.event(
                    set,
                    COMPONENT,
                    "Normal",
                    "SuccessfulCreate",
                    "create Pod %s in StatefulSet %s successful".formatted(podName, name(set)));
        }
    }

    private String ensureRevision(ObjectNode set) {
        JsonNode template = Json.at(set, "spec.template");
        CRC32 sum = new CRC32();
        sum.update(template.toString().getBytes(StandardCharsets.UTF_8));
        String name = name(set) + "-" + Long.toString(sum.getValue() + (1L << 32), 36);
        if (objects.find(REVISIONS, namespace(set), name).isEmpty()) {
            ObjectNode revision = Json.object();
            ObjectNode metadata = revision.putObject("metadata").put("name", name);
            metadata.putArray("ownerReferences").add(ClusterObjects.ownerReference(set));
            revision.putObject("data").putObject("spec").set("template", template);
            revision.put("revision", objects.ownedBy(set, REVISIONS).size() + 1);
            objects.create(REVISIONS, namespace(set), revision);
        }
        return name;
    }

    private ObjectNode template(ObjectNode set, String revision) {
        return objects.find(REVISIONS, namespace(set), revision)
                .map(r -> (ObjectNode) Json.at(r, "data.spec.template"))
                .orElseGet(() -> (ObjectNode) Json.at(set, "spec.template"));
    }

    private void report(ObjectNode set, String current, String update) {
        List<ObjectNode> pods = objects.ownedBy(set, PODS);
        int ready = count(pods, StatefulSetController::ready);
        int updated = count(pods, p -> revision(p).equals(update) && !terminating(p));
        boolean rolledOut = updated == replicas(set) && ready == replicas(set) && pods.size() == replicas(set);
        String settled = rolledOut ? update : current;
        int ofCurrent = count(pods, p -> revision(p).equals(settled) && !terminating(p));
        objects.changeStatus(STATEFUL_SETS, set, status -> {
            status.put("observedGeneration", Json.at(set, "metadata.generation").asLong());
            status.put("replicas", pods.size());
            put(status, "readyReplicas", ready);
            status.put("availableReplicas", ready);
            put(status, "currentReplicas", ofCurrent);
            put(status, "updatedReplicas", updated);
            status.put("currentRevision", settled).put("updateRevision", update);
            status.put("collisionCount", 0);
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

    private static int count(List<ObjectNode> pods, java.util.function.Predicate<ObjectNode> which) {
        return (int) pods.stream().filter(which).count();
    }

    private static boolean ready(ObjectNode pod) {
        return ClusterObjects.conditionHolds(pod, "Ready");
    }

    private static String revision(ObjectNode pod) {
        return pod.path("metadata").path("labels").path(REVISION).asText();
    }

    private static int ordinal(ObjectNode pod) {
        String name = name(pod);
        return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
    }

    private static int replicas(ObjectNode set) {
        return Json.at(set, "spec.replicas").asInt(1);
    }

    private static int partition(ObjectNode set) {
        return Json.at(set, "spec.updateStrategy.rollingUpdate.partition").asInt(0);
    }
}

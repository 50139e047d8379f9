package dev.datachecksums.e2e.testbed.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.ApiException;
import dev.datachecksums.e2e.testbed.api.DeleteOptions;
import dev.datachecksums.e2e.testbed.api.Json;
import dev.datachecksums.e2e.testbed.api.ResourceType;
import dev.datachecksums.e2e.testbed.api.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What the controllers ask and tell the API, in their own words. Objects that it returns are never to be changed. */
final class ClusterObjects {
    static final String PODS = "pods";
    static final String CLAIMS = "persistentvolumeclaims";
    static final String STATEFUL_SETS = "statefulsets.apps";
    static final String DEPLOYMENTS = "deployments.apps";
    static final String REPLICA_SETS = "replicasets.apps";
    static final String REVISIONS = "controllerrevisions.apps";
    static final String JOBS = "jobs.batch";
    static final String BUDGETS = "poddisruptionbudgets.policy";

    private final Resources resources;

    ClusterObjects(Resources resources) {
        this.resources = resources;
    }

    List<ObjectNode> list(String type) {
        return resources.list(resources.type(type), "");
    }

    List<ObjectNode> list(String type, String namespace) {
        return resources.list(resources.type(type), namespace);
    }

    Optional<ObjectNode> find(String type, String namespace, String name) {
        return resources.find(resources.type(type), namespace, name);
    }

    List<ObjectNode> ownedBy(ObjectNode owner, String type) {
        return list(type, namespace(owner)).stream()
                .filter(o -> Json.items(Json.at(o, "metadata.ownerReferences")).stream()
                        .anyMatch(r -> r.path("uid").asText().equals(uid(owner))
                                && r.path("controller").asBoolean()))
                .toList();
    }

    /** Creates it unless the name is taken or the namespace goes away; says whether it did. */
    boolean create(String type, String namespace, ObjectNode object) {
        return attempt(() -> resources.create(resources.type(type), namespace, object));
    }

    /** Changes it unless it is gone. */
    void change(String type, ObjectNode object, Consumer<ObjectNode> change) {
        ResourceType resource = resources.type(type);
        attempt(() -> resources.update(resource, namespace(object), name(object), now -> same(object, now, change)));
    }

    /** Changes its status unless it is gone. */
    void changeStatus(String type, ObjectNode object, Consumer<ObjectNode> change) {
        ResourceType resource = resources.type(type);
        attempt(() -> resources.updateStatus(
                resource, namespace(object), name(object), now -> same(object, now, o -> change.accept(statusOf(o)))));
    }

    /** Another object of the same name is left as it is. */
    private static ObjectNode same(ObjectNode expected, ObjectNode now, Consumer<ObjectNode> change) {
        if (uid(expected).equals(uid(now))) {
            change.accept(now);
        }
        return now;
    }

    void delete(String type, ObjectNode object) {
        delete(type, object, new DeleteOptions(null, uid(object), null, DeleteOptions.Propagation.BACKGROUND, false));
    }

    void delete(String type, ObjectNode object, DeleteOptions options) {
        attempt(() -> resources.delete(resources.type(type), namespace(object), name(object), options));
    }

    void removeFinalizer(String type, ObjectNode object, String finalizer) {
        change(type, object, o -> {
            ArrayNode kept = Json.array();
            Json.strings(Json.at(o, "metadata.finalizers")).stream()
                    .filter(f -> !f.equals(finalizer))
                    .forEach(kept::add);
            metadata(o).set("finalizers", kept);
        });
    }

    /** Records an event, or counts one up that says the same. */
    void event(ObjectNode about, String component, String type, String reason, String message) {
        String namespace = namespace(about);
        String now = Json.time(Instant.now());
        for (ObjectNode event : list("events", namespace)) {
            if (Json.text(event, "involvedObject.uid").equals(uid(about))
                    && event.path("reason").asText().equals(reason)
                    && event.path("message").asText().equals(message)) {
                change(
                        "events",
                        event,
                        e -> e.put("count", e.path("count").asInt(1) + 1).put("lastTimestamp", now));
                return;
            }
        }
        ObjectNode event = Json.object();
        event.putObject("metadata").put("generateName", name(about) + ".");
        event.putObject("involvedObject")
                .put("kind", about.path("kind").asText())
                .put("apiVersion", about.path("apiVersion").asText())
                .put("name", name(about))
                .put("namespace", namespace)
                .put("uid", uid(about));
        event.put("type", type).put("reason", reason).put("message", message).put("count", 1);
        event.put("firstTimestamp", now).put("lastTimestamp", now).put("reportingComponent", component);
        event.putObject("source").put("component", component);
        create("events", namespace, event);
    }

    static ObjectNode ownerReference(ObjectNode owner) {
        return Json.object()
                .put("apiVersion", owner.path("apiVersion").asText())
                .put("kind", owner.path("kind").asText())
                .put("name", name(owner))
                .put("uid", uid(owner))
                .put("controller", true)
                .put("blockOwnerDeletion", true);
    }

    /** Sets a condition; its transition time moves only with its status. */
    static void condition(ObjectNode status, String type, boolean holds, String reason, String message) {
        ArrayNode conditions = status.get("conditions") instanceof ArrayNode a ? a : status.putArray("conditions");
        String value = holds ? "True" : "False";
        ObjectNode found = null;
        for (JsonNode condition : conditions) {
            if (condition.path("type").asText().equals(type)) {
                found = (ObjectNode) condition;
            }
        }
        ObjectNode condition = found == null ? conditions.addObject().put("type", type) : found;
        if (!condition.path("status").asText().equals(value)) {
            condition.put("status", value).put("lastTransitionTime", Json.time(Instant.now()));
        }
        condition.remove(List.of("reason", "message"));
        if (!reason.isEmpty()) {
            condition.put("reason", reason).put("message", message);
        }
    }

    static boolean conditionHolds(ObjectNode object, String type) {
        return Json.items(Json.at(object, "status.conditions")).stream()
                .anyMatch(c -> c.path("type").asText().equals(type)
                        && c.path("status").asText().equals("True"));
    }

    static String name(ObjectNode object) {
        return Json.text(object, "metadata.name");
    }

    static String namespace(ObjectNode object) {
        return Json.text(object, "metadata.namespace");
    }

    static String uid(ObjectNode object) {
        return Json.text(object, "metadata.uid");
    }

    static String phase(ObjectNode object) {
        return Json.text(object, "status.phase");
    }

    static boolean terminating(ObjectNode object) {
        return metadata(object).has("deletionTimestamp");
    }

    static boolean hasFinalizer(ObjectNode object, String finalizer) {
        return Json.strings(Json.at(object, "metadata.finalizers")).contains(finalizer);
    }

    static ObjectNode metadata(ObjectNode object) {
        return Json.metadata(object);
    }

    private static ObjectNode statusOf(ObjectNode object) {
        return object.get("status") instanceof ObjectNode status ? status : object.putObject("status");
    }

    /** Somebody else may have been faster: the next round sees what there is. */
    private static boolean attempt(Runnable work) {
        try {
            work.run();
            return true;
        } catch (ApiException e) {
            if (e.code() == 403 || e.code() == 404 || e.code() == 409) {
                return false;
            }
            throw e;
        }
    }
}

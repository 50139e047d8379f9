package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.DeleteOptions.Propagation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The verbs of the API on its store: what HTTP requests and the stand-in controllers call alike. */
public final class Resources {
    static final String ORPHAN = "orphan";
    static final String FOREGROUND = "foregroundDeletion";

    private final ObjectStore store;
    private final TypeRegistry types;

    Resources(ObjectStore store, TypeRegistry types) {
        this.store = store;
        this.types = types;
    }

    /** The type of a qualified name such as {@code pods} or {@code jobs.batch}. */
    public ResourceType type(String qualifiedName) {
        return types.byQualifiedName(qualifiedName).orElseThrow(ApiException::noSuchPath);
    }

    public Optional<ObjectNode> find(ResourceType type, String namespace, String name) {
        return store.get(type.key(namespace, name));
    }

    /**
     * The object, never to be changed.
     *
     * @throws ApiException 404
     */
    public ObjectNode get(ResourceType type, String namespace, String name) {
        return find(type, namespace, name).orElseThrow(() -> ApiException.notFound(type, name));
    }

    /**
     * Objects of a resource, never to be changed.
     *
     * @param namespace empty for all
     */
    public List<ObjectNode> list(ResourceType type, String namespace) {
        return store.list(type.qualifiedName(), namespace).objects();
    }

    ObjectStore.Listing list(ResourceType type, String namespace, Predicate<JsonNode> wanted) {
        ObjectStore.Listing all = store.list(type.qualifiedName(), namespace);
        return new ObjectStore.Listing(
                all.version(), all.objects().stream().filter(wanted).toList());
    }

    public ObjectNode create(ResourceType type, String namespace, ObjectNode body) {
        return create(type, namespace, body, false);
    }

    /** @throws ApiException 400, 404 (namespace), 403 (namespace that goes away), 409, 422 */
    ObjectNode create(ResourceType type, String namespace, ObjectNode body, boolean dryRun) {
        return store.locked(() -> {
            if (type.namespaced()) {
                ResourceType namespaces = type("namespaces");
                ObjectNode home = get(namespaces, "", namespace);
                if (Json.metadata(home).has("deletionTimestamp") && !type.is("events")) {
                    throw ApiException.forbidden(
                            type,
                            body.at("/metadata/name").asText(),
                            "creation in a namespace" + " that is being terminated");
                }
            }
            ObjectNode object = ObjectRules.forCreation(type, namespace, body);
            ObjectKey key = type.key(namespace, Json.text(object, "metadata.name"));
            if (store.get(key).isPresent()) {
                throw ApiException.alreadyExists(type, key.name());
            }
            if (dryRun) {
                return object;
            }
            ObjectNode stored = store.put(key, object);
            definitionChanged(type, stored);
            return stored;
        });
    }

    public ObjectNode updateStatus(ResourceType type, String namespace, String name, UnaryOperator<ObjectNode> change) {
        return update(type, namespace, name, "status", change, false);
    }

    public ObjectNode update(ResourceType type, String namespace, String name, UnaryOperator<ObjectNode> change) {
        return update(type, namespace, name, "", change, false);
    }

    /**
     * Replaces an object by what the change makes of it (of a copy of it).
     *
     * @param subresource empty or {@code status}
     * @throws ApiException 404, 409, 422
     */
    ObjectNode update(
            ResourceType type,
            String namespace,
            String name,
            String subresource,
            UnaryOperator<ObjectNode> change,
            boolean dryRun) {
        return store.locked(() -> {
            ObjectNode old = get(type, namespace, name);
            ObjectNode sent = change.apply(old.deepCopy());
            ObjectNode object = ObjectRules.forUpdate(type, subresource, old, sent);
            if (object.equals(old) || dryRun) {
                return object;
            }
            ObjectKey key = type.key(namespace, name);
            if (goes(object)) {
                store.remove(key);
                definitionGone(type, object);
                return object;
            }
            ObjectNode stored = store.put(key, object);
            definitionChanged(type, stored);
            return stored;
        });
    }

    /**
     * What a deletion came to.
     *
     * @param gone false if the object waits for its grace period or its finalizers
     */
    public record Deleted(ObjectNode object, boolean gone) {}

    /**
     * Deletes an object, or marks it and leaves it to its kubelet and its finalizers.
     *
     * @throws ApiException 404, or 409 when a precondition does not hold
     */
    public Deleted delete(ResourceType type, String namespace, String name, DeleteOptions options) {
        return store.locked(() -> {
            ObjectNode old = get(type, namespace, name);
            checkPreconditions(type, old, options);
            if (options.dryRun()) {
                return new Deleted(old, true);
            }
            ObjectNode object = old.deepCopy();
            addPropagationFinalizer(object, options.propagation());
            markDeleted(type, object, options);
            ObjectKey key = type.key(namespace, name);
            if (goes(object)) {
                store.remove(key);
                definitionGone(type, object);
                return new Deleted(object, true);
            }
            return new Deleted(object.equals(old) ? old : store.put(key, object), false);
        });
    }

    private static void checkPreconditions(ResourceType type, ObjectNode old, DeleteOptions options) {
        ObjectNode metadata = Json.metadata(old);
        String name = metadata.path("name").asText();
        String uid = metadata.path("uid").asText();
        String version = metadata.path("resourceVersion").asText();
        if (options.uid() != null && !options.uid().equals(uid)) {
            throw ApiException.precondition(type, name, "UID", options.uid(), uid, "deleted and then recreated");
        }
        String wanted = options.resourceVersion();
        if (wanted != null && !wanted.equals(version)) {
            throw ApiException.precondition(type, name, "ResourceVersion", wanted, version, "modified");
        }
    }

    private static void markDeleted(ResourceType type, ObjectNode object, DeleteOptions options) {
        ObjectNode metadata = Json.metadata(object);
        boolean already = metadata.has("deletionTimestamp");
        long grace = type.is("pods") ? podGrace(object, options) : 0;
        if (already && metadata.path("deletionGracePeriodSeconds").asLong() <= grace) {
            return;
        }
        metadata.put("deletionTimestamp", Json.time(Instant.now().plusSeconds(grace)));
        metadata.put("deletionGracePeriodSeconds", grace);
        if (!already && metadata.has("generation")) {
            metadata.put("generation", metadata.get("generation").asLong() + 1);
        }
        if (type.is("namespaces")) {
            Json.child(object, "status").put("phase", "Terminating");
        }
    }

    /** As the pod strategy has it: a pod that no kubelet runs, or whose containers have ended, needs no grace. */
    private static long podGrace(ObjectNode pod, DeleteOptions options) {
        String phase = Json.text(pod, "status.phase");
        if (Json.text(pod, "spec.nodeName").isEmpty() || phase.equals("Failed") || phase.equals("Succeeded")) {
            return 0;
        }
        long own = Json.at(pod, "spec.terminationGracePeriodSeconds").asLong(30);
        long grace = options.grace().orElse(own);
        return grace < 0 ? 1 : grace;
    }

    private static void addPropagationFinalizer(ObjectNode object, Propagation propagation) {
        if (propagation == Propagation.BACKGROUND) {
            return;
        }
        ObjectNode metadata = Json.metadata(object);
        String finalizer = propagation == Propagation.ORPHAN ? ORPHAN : FOREGROUND;
        ArrayNode list = metadata.get("finalizers") instanceof ArrayNode a ? a : metadata.putArray("finalizers");
        if (!Json.strings(list).contains(finalizer)) {
            list.add(finalizer);
        }
    }

    /** Whether nothing keeps an object that was marked for deletion. */
    private static boolean goes(ObjectNode object) {
        ObjectNode metadata = Json.metadata(object);
        boolean namespaceBusy = object.path("kind").asText().equals("Namespace")
                && !Json.at(object, "spec.finalizers").isEmpty();
        return metadata.has("deletionTimestamp")
                && metadata.path("deletionGracePeriodSeconds").asLong(0) == 0
                && metadata.path("finalizers").isEmpty()
                && !namespaceBusy;
    }

    private void definitionChanged(ResourceType type, ObjectNode object) {
        if (type.is("customresourcedefinitions.apiextensions.k8s.io")) {
            types.define(object);
        }
    }

    private void definitionGone(ResourceType type, ObjectNode object) {
        if (type.is("customresourcedefinitions.apiextensions.k8s.io")) {
            String name = Json.text(object, "metadata.name");
            types.byQualifiedName(name).ifPresent(served -> {
                for (ObjectNode instance : list(served, "")) {
                    store.remove(served.key(
                            Json.text(instance, "metadata.namespace"), Json.text(instance, "metadata.name")));
                }
            });
            types.undefine(name);
        }
    }
}

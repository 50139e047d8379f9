package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.DeleteOptions.Propagation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what has lost its owners, carries out foreground and orphan deletions and empties namespaces that are deleted: the part of the
 * controller manager that belongs to the API itself. One daemon thread.
 */
final class GarbageCollector implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GarbageCollector.class);

    private final ObjectStore store;
    private final Resources resources;
    private final TypeRegistry types;
    private final Semaphore changes = new Semaphore(0);
    private final Thread thread = new Thread(this::run, "embedded-garbage-collector");

    GarbageCollector(ObjectStore store, Resources resources, TypeRegistry types) {
        this.store = store;
        this.resources = resources;
        this.types = types;
        thread.setDaemon(true);
    }

    void start() {
        store.listen(this::consider);
        thread.start();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void consider(ObjectStore.Change change) {
        ObjectNode metadata = Json.metadata(change.object());
        if (change.kind() == ObjectStore.Kind.DELETED
                || metadata.has("deletionTimestamp")
                || (change.kind() == ObjectStore.Kind.ADDED && metadata.has("ownerReferences"))) {
            changes.release();
        }
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                changes.acquire();
                changes.drainPermits();
                collect();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                LOG.warn("Garbage collection failed and will be tried at the next change", e);
            }
        }
    }

    private void collect() {
        List<ObjectNode> all = new ArrayList<>();
        Set<String> alive = new HashSet<>();
        Set<String> foreground = new HashSet<>();
        for (ObjectKey key : store.keys()) {
            store.get(key).ifPresent(object -> {
                all.add(object);
                alive.add(uid(object));
                if (finalizers(object).contains(Resources.FOREGROUND)
                        && Json.metadata(object).has("deletionTimestamp")) {
                    foreground.add(uid(object));
                }
            });
        }
        for (ObjectNode object : all) {
            JsonNode owners = Json.at(object, "metadata.ownerReferences");
            boolean deleting = Json.metadata(object).has("deletionTimestamp");
            if (!owners.isEmpty() && !deleting) {
                List<String> uids = Json.items(owners).stream()
                        .map(o -> o.path("uid").asText())
                        .toList();
                if (uids.stream().noneMatch(alive::contains)) {
                    delete(object, Propagation.BACKGROUND);
                } else if (foreground.containsAll(uids)) {
                    delete(object, Propagation.FOREGROUND);
                }
            }
            if (deleting) {
                finish(object, all);
            }
        }
    }

    private void finish(ObjectNode object, List<ObjectNode> all) {
        List<String> finalizers = finalizers(object);
        if (finalizers.contains(Resources.ORPHAN)) {
            dependents(object, all).forEach(d -> disown(d, uid(object)));
            removeFinalizer(object, Resources.ORPHAN);
        }
        if (finalizers.contains(Resources.FOREGROUND)
                && dependents(object, all).stream().noneMatch(d -> blocks(d, uid(object)))) {
            removeFinalizer(object, Resources.FOREGROUND);
        }
        if (object.path("kind").asText().equals("Namespace")) {
            emptyNamespace(object);
        }
    }

    private void emptyNamespace(ObjectNode namespace) {
        String name = Json.text(namespace, "metadata.name");
        List<ObjectKey> inside =
                store.keys().stream().filter(k -> k.namespace().equals(name)).toList();
        for (ObjectKey key : inside) {
            store.get(key)
                    .filter(o -> !Json.metadata(o).has("deletionTimestamp"))
                    .ifPresent(o -> delete(o, Propagation.BACKGROUND));
        }
        if (store.keys().stream().noneMatch(k -> k.namespace().equals(name))) {
            change(namespace, n -> Json.child(n, "spec").putArray("finalizers"));
        }
    }

    private void delete(ObjectNode object, Propagation propagation) {
        quietly(() -> resources.delete(
                typeOf(object),
                namespace(object),
                name(object),
                new DeleteOptions(null, uid(object), null, propagation, false)));
    }

    private void removeFinalizer(ObjectNode object, String finalizer) {
        change(object, o -> {
            ArrayNode kept = Json.array();
            finalizers(o).stream().filter(f -> !f.equals(finalizer)).forEach(kept::add);
            Json.metadata(o).set("finalizers", kept);
        });
    }

    private void disown(ObjectNode dependent, String owner) {
        change(dependent, o -> {
            ArrayNode kept = Json.array();
            for (JsonNode reference : Json.at(o, "metadata.ownerReferences")) {
                if (!reference.path("uid").asText().equals(owner)) {
                    kept.add(reference);
                }
            }
            Json.metadata(o).set("ownerReferences", kept);
        });
    }

    private void change(ObjectNode object, java.util.function.Consumer<ObjectNode> change) {
        quietly(() -> resources.update(typeOf(object), namespace(object), name(object), o -> {
            change.accept(o);
            return o;
        }));
    }

    /** Somebody else may have been faster: that is as good. */
    private static void quietly(Runnable work) {
        try {
            work.run();
        } catch (ApiException e) {
            if (e.code() != 404 && e.code() != 409) {
                throw e;
            }
        }
    }

    private static List<ObjectNode> dependents(ObjectNode owner, List<ObjectNode> all) {
        return all.stream()
                .filter(o -> Json.items(Json.at(o, "metadata.ownerReferences")).stream()
                        .anyMatch(r -> r.path("uid").asText().equals(uid(owner))))
                .toList();
    }

    private boolean blocks(ObjectNode dependent, String owner) {
        boolean stillThere = resources
                .find(typeOf(dependent), namespace(dependent), name(dependent))
                .filter(o -> uid(o).equals(uid(dependent)))
                .isPresent();
        return stillThere
                && Json.items(Json.at(dependent, "metadata.ownerReferences")).stream()
                        .anyMatch(r -> r.path("uid").asText().equals(owner)
                                && r.path("blockOwnerDeletion").asBoolean());
    }

    private ResourceType typeOf(ObjectNode object) {
        String apiVersion = object.path("apiVersion").asText();
        String kind = object.path("kind").asText();
        return types.all()
                .filter(t -> t.apiVersion().equals(apiVersion) && t.kind().equals(kind))
                .findFirst()
                .orElseThrow(ApiException::noSuchPath);
    }

    private static List<String> finalizers(ObjectNode object) {
        return Json.strings(Json.at(object, "metadata.finalizers"));
    }

    private static String uid(ObjectNode object) {
        return Json.text(object, "metadata.uid");
    }

    private static String name(ObjectNode object) {
        return Json.text(object, "metadata.name");
    }

    private static String namespace(ObjectNode object) {
        return Json.text(object, "metadata.namespace");
    }
}

package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects, their one counter of versions and what was changed last. Stored trees are never changed: a writer stores another one. Every
 * method takes the one lock; {@link #locked} keeps it over several.
 */
public final class ObjectStore {
    private static final int REMEMBERED = 20_000;

    /** What happened to an object. */
    enum Kind {
        ADDED,
        MODIFIED,
        DELETED
    }

    /**
     * One change.
     *
     * @param previous the object before it; null for an addition
     */
    record Change(
            long version,
            Kind kind,
            ObjectKey key,
            ObjectNode object,
            @Nullable ObjectNode previous) {}

    /** Called under the lock, in order: it must return at once. */
    interface Listener {
        void changed(Change change);
    }

    /** All objects of one resource at one version. */
    record Listing(long version, List<ObjectNode> objects) {}

    private final NavigableMap<ObjectKey, ObjectNode> objects = new TreeMap<>();
    private final Deque<Change> history = new ArrayDeque<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private long version = 1;
    private long forgotten = 1;

    synchronized <T> T locked(Supplier<T> work) {
        return work.get();
    }

    synchronized Optional<ObjectNode> get(ObjectKey key) {
        return Optional.ofNullable(objects.get(key));
    }

    /**
     * The objects of a resource.
     *
     * @param namespace empty for all namespaces
     */
    synchronized Listing list(String resource, String namespace) {
        List<ObjectNode> found = new ArrayList<>();
        for (var entry :
                objects.tailMap(new ObjectKey(resource, namespace, ""), true).entrySet()) {
            ObjectKey key = entry.getKey();
            if (!key.resource().equals(resource)) {
                break;
            }
            if (namespace.isEmpty() || key.namespace().equals(namespace)) {
                found.add(entry.getValue());
            }
        }
        return new Listing(version, found);
    }

    synchronized List<ObjectKey> keys() {
        return List.copyOf(objects.keySet());
    }

    synchronized long version() {
        return version;
    }

    /** Stores the object under a new version, which it writes into its metadata. */
    synchronized ObjectNode put(ObjectKey key, ObjectNode object) {
        version++;
        Json.metadata(object).put("resourceVersion", Long.toString(version));
        ObjectNode previous = objects.put(key, object);
        record(new Change(version, previous == null ? Kind.ADDED : Kind.MODIFIED, key, object, previous));
        return object;
    }

    synchronized void remove(ObjectKey key) {
        ObjectNode previous = objects.remove(key);
        if (previous == null) {
            return;
        }
        version++;
        ObjectNode last = previous.deepCopy();
        Json.metadata(last).put("resourceVersion", Long.toString(version));
        record(new Change(version, Kind.DELETED, key, last, previous));
    }

    void listen(Listener listener) {
        listeners.add(listener);
    }

    /**
     * Adds a listener that first hears what was changed after a version.
     *
     * @throws ApiException 410 if that is no longer remembered
     */
    synchronized void listenFrom(long after, Listener listener) {
        if (after < forgotten) {
            throw ApiException.expired(after, forgotten);
        }
        for (Change change : history) {
            if (change.version() > after) {
                listener.changed(change);
            }
        }
        listeners.add(listener);
    }

    void forget(Listener listener) {
        listeners.remove(listener);
    }

    private void record(Change change) {
        history.addLast(change);
        if (history.size() > REMEMBERED) {
            forgotten = history.removeFirst().version();
        }
        for (Listener listener : listeners) {
            listener.changed(change);
        }
    }
}

package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** One watch: the changes of one resource, selected, as lines of JSON, until its time is over or the client is gone. */
final class WatchStream {
    private static final Duration BOOKMARK_EVERY = Duration.ofSeconds(20);

    /**
     * What a client wants to watch.
     *
     * @param version empty or 0: first every object that there is, as additions
     * @param render what an event carries of an object
     */
    record Wish(
            ResourceType type,
            String namespace,
            Predicate<JsonNode> selector,
            String version,
            boolean bookmarks,
            boolean initialEvents,
            Duration timeout,
            UnaryOperator<ObjectNode> render) {}

    private final ObjectStore store;
    private final Wish wish;
    private final LinkedBlockingQueue<ObjectStore.Change> queue = new LinkedBlockingQueue<>();

    WatchStream(ObjectStore store, Wish wish) {
        this.store = store;
        this.wish = wish;
    }

    /** Sends until the end. A client that goes away ends it, too. */
    void send(OutputStream out) throws IOException {
        ObjectStore.Listener listener = this::take;
        try {
            subscribe(listener, out);
            follow(out);
        } catch (ApiException e) {
            line(out, "ERROR", e.status());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            store.forget(listener);
        }
    }

    private void take(ObjectStore.Change change) {
        if (change.key().resource().equals(wish.type().qualifiedName())
                && (wish.namespace().isEmpty() || change.key().namespace().equals(wish.namespace()))) {
            queue.add(change);
        }
    }

    private void subscribe(ObjectStore.Listener listener, OutputStream out) throws IOException {
        if (!wish.version().isEmpty() && !wish.version().equals("0") && !wish.initialEvents()) {
            store.listenFrom(Long.parseLong(wish.version()), listener);
            return;
        }
        ObjectStore.Listing start = store.locked(() -> {
            store.listen(listener);
            return store.list(wish.type().qualifiedName(), wish.namespace());
        });
        for (ObjectNode object : start.objects()) {
            if (wish.selector().test(object)) {
                line(out, "ADDED", wish.render().apply(object));
            }
        }
        if (wish.initialEvents() && wish.bookmarks()) {
            ObjectNode mark = bookmark(start.version());
            Json.child(Json.metadata(mark), "annotations").put("k8s.io/initial-events-end", "true");
            line(out, "BOOKMARK", mark);
        }
    }

    private void follow(OutputStream out) throws IOException, InterruptedException {
        long end = System.nanoTime() + wish.timeout().toNanos();
        while (!Thread.currentThread().isInterrupted()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return;
            }
            long version = store.version();
            ObjectStore.Change change = queue.poll(Math.min(left, BOOKMARK_EVERY.toNanos()), TimeUnit.NANOSECONDS);
            if (change != null) {
                event(out, change);
            } else if (wish.bookmarks()) {
                line(out, "BOOKMARK", bookmark(version));
            }
        }
    }

    private void event(OutputStream out, ObjectStore.Change change) throws IOException {
        boolean before = change.previous() != null && wish.selector().test(change.previous());
        boolean now =
                change.kind() != ObjectStore.Kind.DELETED && wish.selector().test(change.object());
        if (now) {
            line(out, before ? "MODIFIED" : "ADDED", wish.render().apply(change.object()));
        } else if (before) {
            line(out, "DELETED", wish.render().apply(change.object()));
        }
    }

    private ObjectNode bookmark(long version) {
        ObjectNode mark = Json.object()
                .put("kind", wish.type().kind())
                .put("apiVersion", wish.type().apiVersion());
        mark.putObject("metadata")
                .put("resourceVersion", Long.toString(version))
                .putNull("creationTimestamp");
        return mark;
    }

    private static void line(OutputStream out, String type, ObjectNode object) throws IOException {
        ObjectNode event = Json.object().put("type", type);
        event.set("object", object);
        out.write(Json.bytes(event));
        out.write('\n');
        out.flush();
    }
}

package dev.datachecksums.e2e.faults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Records what passes, and runs one fault when its point does. */
final class Watchpost implements Crossing {
    private record Armed(Point point, Side side, Supplier<Effect> fault, CompletableFuture<Void> fired) {}

    private final Map<String, Integer> counts = new HashMap<>();
    private final List<Point> passed = new ArrayList<>();
    private @Nullable Armed armed;

    /** Forgets what has passed, so that counting starts anew. */
    synchronized void begin() {
        counts.clear();
        passed.clear();
        armed = null;
    }

    /** Runs the fault when that point is reached; completed once it has run. */
    synchronized CompletableFuture<Void> arm(Point point, Side side, Supplier<Effect> fault) {
        Armed next = new Armed(point, side, fault, new CompletableFuture<>());
        armed = next;
        return next.fired();
    }

    synchronized List<Point> passed() {
        return List.copyOf(passed);
    }

    @Override
    public synchronized Point before(Seam seam, String step) {
        Point point = new Point(seam, step, counts.merge(seam + step, 1, Integer::sum));
        passed.add(point);
        return point;
    }

    @Override
    public Effect effect(Point point, Side side) {
        Armed now;
        synchronized (this) {
            now = armed;
            if (now == null || now.side() != side || !now.point().equals(point)) {
                return Effect.PASS;
            }
            armed = null;
        }
        try {
            return now.fault().get();
        } finally {
            now.fired().complete(null);
        }
    }
}

package dev.datachecksums.operator.health;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** When the reconciler began to look at a resource, or is due to look again: a reconciler that is stuck misses that. */
public final class Looks {

    /** No look is longer: each call in it is bounded to seconds, and there are a few dozen at most. */
    static final Duration LONGEST = Duration.ofMinutes(5);
    /** No look is later, even with a thousand resources waiting for a thread. */
    static final Duration LATEST = Duration.ofMinutes(5);

    private record Look(boolean underWay, long at) {}

    private final LongSupplier nanos;
    private final Map<String, Look> looks = new ConcurrentHashMap<>();

    /** With a clock that never jumps. */
    public Looks(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** A look at that resource begins. */
    public void begin(String resource) {
        looks.put(resource, new Look(true, nanos.getAsLong()));
    }

    /** It has ended, and the next one follows after that time at the latest. */
    public void end(String resource, Duration next) {
        looks.put(resource, new Look(false, nanos.getAsLong() + next.toNanos()));
    }

    /** No further look is due: the resource has gone, or is another operator's. */
    public void forget(String resource) {
        looks.remove(resource);
    }

    /** No further look at anything is due. */
    public void clear() {
        looks.clear();
    }

    /** What shows that the reconciler is stuck, if anything does. */
    public Optional<String> stuck() {
        long now = nanos.getAsLong();
        for (Map.Entry<String, Look> e : looks.entrySet()) {
            long late = now - e.getValue().at();
            if (e.getValue().underWay() && late > LONGEST.toNanos()) {
                return Optional.of("the look at " + e.getKey() + " has not ended for " + seconds(late));
            }
            if (!e.getValue().underWay() && late > LATEST.toNanos()) {
                return Optional.of("the look at " + e.getKey() + " is late by " + seconds(late));
            }
        }
        return Optional.empty();
    }

    private static String seconds(long nanos) {
        return Duration.ofNanos(nanos).toSeconds() + " s";
    }
}

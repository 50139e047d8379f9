package dev.datachecksums.operator.health;

import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the probes ask. An API server that is away is no reason to end the process, which would only come back with less
 * than it knows now; a watch that has stopped for good or a reconciler that is stuck is one.
 */
public final class Health {

    /**
     * One watch of the API.
     *
     * @param name for readers
     * @param running false: it has ended and will not come back by itself
     * @param synced whether all that there is has been seen once
     */
    public record Watch(String name, boolean running, boolean synced) {}

    private final Supplier<Collection<Watch>> watches;
    private final Supplier<Optional<String>> stuck;
    private final Supplier<Optional<String>> unable;
    private volatile String state = "starting: waiting for the Kubernetes API";

    /**
     * With what it looks at.
     *
     * @param stuck what shows that the reconciler is
     * @param unable why the Lease could not be had, if that is so
     */
    public Health(
            Supplier<Collection<Watch>> watches, Supplier<Optional<String>> stuck, Supplier<Optional<String>> unable) {
        this.watches = watches;
        this.stuck = stuck;
        this.unable = unable;
    }

    /** The operator runs from now on. */
    public void started() {
        state = "";
    }

    /** It has been told to stop. */
    public void stopping() {
        state = "stopping";
    }

    /** What is wrong so that only a new process helps; empty: nothing. */
    public Optional<String> notAlive() {
        if (!state.isEmpty()) {
            return Optional.empty();
        }
        return watches.get().stream()
                .filter(w -> !w.running())
                .findFirst()
                .map(w -> "the watch of " + w.name() + " has ended")
                .or(stuck);
    }

    /** Why it could not act, or take over from the one that acts; empty: it could. */
    public Optional<String> notReady() {
        if (!state.isEmpty()) {
            return Optional.of(state);
        }
        return watches.get().stream()
                .filter(w -> !w.running() || !w.synced())
                .findFirst()
                .map(w -> "the watch of " + w.name() + " is not complete")
                .or(unable);
    }
}

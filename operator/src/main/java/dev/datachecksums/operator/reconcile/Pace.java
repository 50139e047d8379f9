package dev.datachecksums.operator.reconcile;

import dev.datachecksums.operator.act.Outcome;
import dev.datachecksums.operator.decide.Verdict;
import dev.datachecksums.operator.observe.Observation;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * When to look again. Everything that matters while a conversion runs arrives as an event; these are the bounds behind
 * it. Jitter keeps a thousand resources from being looked at in one second.
 */
public final class Pace {

    /** While the server is on its way back every 200 ms count: the outage is measured by the first answer. */
    private static final Duration RETURNING = Duration.ofMillis(200);
    /** What was decided and could not be done is tried again after this. */
    private static final Duration AFTER_PROBLEM = Duration.ofSeconds(1);

    private static final Duration AT_ONCE = Duration.ofMillis(1);
    private static final double SPREAD = 0.1;

    private final Duration converting;
    private final Duration blocked;
    private final Duration atRest;
    private final DoubleSupplier random;

    /** With the intervals by phase; random gives 0 to 1. */
    public Pace(Duration converting, Duration blocked, Duration atRest, DoubleSupplier random) {
        this.converting = converting;
        this.blocked = blocked;
        this.atRest = atRest;
        this.random = random;
    }

    /** How long until the next look at the latest. */
    Duration next(Observation o, Verdict v, Outcome out) {
        if (out.problem().isPresent()) {
            return AFTER_PROBLEM;
        }
        if (out.soon()) {
            return AT_ONCE;
        }
        Duration d = switch (v.phase()) {
            case STARTING -> RETURNING;
            case CONVERTING, STOPPING, REWRITING -> converting;
            case PENDING, BLOCKED, WAITING -> jitter(blocked);
            case SUSPENDED, CONVERGED, DRIFTED, FAILED -> jitter(atRest);
        };
        if (v.until().isPresent()) {
            // A moment past it, so that the clock has really reached it.
            Duration due = Duration.between(o.at(), v.until().get()).plusMillis(50);
            d = due.compareTo(d) < 0 ? due : d;
        }
        return d.compareTo(AT_ONCE) < 0 ? AT_ONCE : d;
    }

    private Duration jitter(Duration d) {
        return Duration.ofMillis((long) (d.toMillis() * (1 + SPREAD * (2 * random.getAsDouble() - 1))));
    }
}

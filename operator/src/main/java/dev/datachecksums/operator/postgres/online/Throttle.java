package dev.datachecksums.operator.postgres.online;

import java.time.Duration;

/**
 * The server's cost model, as for VACUUM: each page costs some points (20 for making it dirty, 1 or 2 for finding it), and at
 * {@code costLimit} points the worker pauses for {@code costDelay}, longer in proportion if it went over the limit, at most four times.
 *
 * @param costDelay whole milliseconds; zero: unthrottled
 * @param costLimit at least 1
 */
public record Throttle(Duration costDelay, int costLimit) {
    /** Unthrottled, as the function's defaults. */
    public static final Throttle NONE = new Throttle(Duration.ZERO, 100);

    /** @throws IllegalArgumentException if the server would refuse it */
    public Throttle {
        if (costDelay.isNegative() || costDelay.toMillis() > Integer.MAX_VALUE || costLimit < 1) {
            throw new IllegalArgumentException("costDelay must not be negative and costLimit at least 1");
        }
        costDelay = Duration.ofMillis(costDelay.toMillis());
    }

    /** Whether it holds nothing up. */
    public boolean unthrottled() {
        return costDelay.isZero();
    }

    @Override
    public String toString() {
        return unthrottled() ? "unthrottled" : "costDelay " + costDelay.toMillis() + "ms, costLimit " + costLimit;
    }
}

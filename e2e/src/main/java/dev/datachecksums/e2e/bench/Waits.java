package dev.datachecksums.e2e.bench;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Bounded waits for a condition. */
final class Waits {

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration STEP = Duration.ofMillis(20);

    private Waits() {}

    static void until(String what, BooleanSupplier condition) {
        until(what, LIMIT, condition);
    }

    static void until(String what, Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("not within " + limit + ": " + what);
            }
            pause(STEP);
        }
    }

    static void pause(Duration d) {
        LockSupport.parkNanos(d.toNanos());
    }
}

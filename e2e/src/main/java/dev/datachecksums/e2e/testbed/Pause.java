package dev.datachecksums.e2e.testbed;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A short wait between two looks at something that nothing else tells of. */
final class Pause {
    private Pause() {}

    static void of(Duration time) {
        LockSupport.parkNanos(time.toNanos());
        if (Thread.currentThread().isInterrupted()) {
            throw new IllegalStateException("interrupted");
        }
    }
}

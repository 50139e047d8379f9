package dev.datachecksums.e2e.bench;

import dev.datachecksums.e2e.testbed.PostgresInstance;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Asks a server at its pod's address, with a new connection each time, some twenty times a second. Not through a
 * Service: kube-proxy's interval makes what a client sees there bimodal. The longest time between two answers is the
 * outage.
 */
final class AvailabilityProbe implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(25);

    private final PostgresInstance postgres;
    private final Thread thread = new Thread(this::run, "probe");
    private volatile boolean ended;
    private long last = System.nanoTime();
    private long longest;

    AvailabilityProbe(PostgresInstance postgres) {
        this.postgres = postgres;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (!ended) {
            try (Connection c = postgres.connect(Duration.ofSeconds(1))) {
                if (c.isValid(1)) {
                    answered();
                }
            } catch (SQLException e) {
                // This is what is measured: the time until the next answer.
                Waits.pause(PAUSE);
                continue;
            }
            Waits.pause(PAUSE);
        }
    }

    private synchronized void answered() {
        long now = System.nanoTime();
        longest = Math.max(longest, now - last);
        last = now;
    }

    /** Begins a measurement. */
    synchronized void reset() {
        longest = 0;
    }

    /** The longest time without an answer since {@link #reset}. */
    synchronized Duration longest() {
        return Duration.ofNanos(longest);
    }

    @Override
    public void close() {
        ended = true;
    }
}

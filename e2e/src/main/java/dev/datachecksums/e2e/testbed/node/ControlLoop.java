package dev.datachecksums.e2e.testbed.node;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a controller once after any number of changes, in a thread of its own, and again when it asks for it. */
final class ControlLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlLoop.class);

    /** A level-based controller: it looks at everything and does what is due. */
    interface Controller {
        /**
         * Looks at everything once.
         *
         * @param again asks for another look after a time
         */
        void reconcile(Again again);
    }

    /** How a controller waits. */
    interface Again {
        void after(Duration delay);
    }

    private final Controller controller;
    private final ScheduledExecutorService executor;
    private final AtomicBoolean due = new AtomicBoolean();
    private volatile long pausedUntil = System.nanoTime();

    ControlLoop(String name, Controller controller) {
        this.controller = controller;
        this.executor = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "embedded-" + name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Looks at nothing for so long, and at everything then. */
    void pauseFor(Duration time) {
        pausedUntil = System.nanoTime() + time.toNanos();
    }

    void trigger() {
        if (due.compareAndSet(false, true)) {
            schedule(Duration.ofMillis(2));
        }
    }

    private void schedule(Duration delay) {
        try {
            var unused = executor.schedule(this::run, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("Closed: no more rounds", e);
        }
    }

    private void run() {
        long paused = pausedUntil - System.nanoTime();
        if (paused > 0) {
            schedule(Duration.ofNanos(paused).plusMillis(1));
            return;
        }
        due.set(false);
        try {
            controller.reconcile(this::schedule);
        } catch (RuntimeException e) {
            LOG.warn("{} failed and is tried again", controller.getClass().getSimpleName(), e);
            schedule(Duration.ofMillis(200));
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}

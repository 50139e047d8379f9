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

    ControlLoop(String name, Controller controller) {
        this.controller = controller;
        this.executor = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "embedded-" + name);
            thread.setDaemon(true);
            return thread;
        });
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

package dev.datachecksums.e2e.testbed;

/** An operator that scenarios start, stop and kill: in this JVM, as a process or as a Deployment. */
public interface OperatorHandle extends AutoCloseable {

    /** Starts it and returns once it watches. */
    void start();

    /** Ends it as SIGTERM does: it may finish what it is at. */
    void stop();

    /** Ends it as SIGKILL does: at once, at whatever step it is. */
    void kill();

    boolean running();

    /** What it wrote, as far as that is still there. */
    String log();

    /** Where this machine reaches its /metrics: host:port. */
    String metricsAddress();

    @Override
    default void close() {
        if (running()) {
            stop();
        }
    }
}

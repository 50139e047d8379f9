package dev.datachecksums.operator.offline;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Follows the logs of our Jobs' pods, so that a step is known some milliseconds after it was said; a pod's status comes up
 * to a second later, and the logs go with the pod. One daemon thread for each Job that runs. What was said is remembered
 * until it is forgotten, or {@link #REMEMBERED} after it was last asked for.
 */
public final class LogFollower implements AutoCloseable {

    /** How long a log is kept that nobody asks for. */
    static final Duration REMEMBERED = Duration.ofHours(1);

    /** How long the end of a log is waited for. */
    static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final Duration WATCH_EVERY = Duration.ofSeconds(5);

    /** Told of every new word. Called on the thread that reads: must return at once. */
    public interface Listener {
        /** A Job of that resource has said something. */
        void said(String namespace, String resource);
    }

    /**
     * A pod whose log is followed.
     *
     * @param resource name of the resource that the Job is for
     */
    public record Followed(String namespace, String resource, String jobUid, String pod, String podUid) {}

    private final KubernetesClient client;
    private final Listener listener;
    private final Clock clock;
    private final Map<String, FollowedLog> logs = new ConcurrentHashMap<>();
    private final ExecutorService readers = Executors.newCachedThreadPool(r -> daemon(r, "job-log"));
    private final ScheduledExecutorService watch =
            Executors.newSingleThreadScheduledExecutor(r -> daemon(r, "job-log-watch"));

    /** Follows through the client; nothing happens before {@link #follow}. */
    public LogFollower(KubernetesClient client, Listener listener, Clock clock) {
        this.client = client;
        this.listener = listener;
        this.clock = clock;
        var unused = watch.scheduleWithFixedDelay(
                this::tidy, WATCH_EVERY.toMillis(), WATCH_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Follows that pod's log from its beginning, also before its container has started. No effect if it is followed already. */
    public void follow(Followed pod) {
        FollowedLog log = logs.computeIfAbsent(pod.jobUid(), uid -> new FollowedLog(client, listener, clock));
        log.asked();
        if (log.takes(pod)) {
            readers.execute(() -> log.run(pod));
        }
    }

    /** What the Job has said so far; nothing if it was never followed. */
    public JobLog log(String jobUid) {
        FollowedLog log = logs.get(jobUid);
        if (log == null) {
            return JobLog.EMPTY;
        }
        log.asked();
        return log.said();
    }

    /**
     * The container has ended: the log is read to its end, for which this waits some milliseconds and at most
     * {@link #PATIENCE}, so that an end is never seen without the last word.
     *
     * @param terminationMessage the last line, which the API server keeps when the log has gone; may be empty
     */
    public JobLog ended(String jobUid, String terminationMessage) {
        FollowedLog log = logs.get(jobUid);
        if (log == null) {
            return LogReader.plus(JobLog.EMPTY, terminationMessage);
        }
        try {
            log.asked();
            return log.ended(terminationMessage, PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return log.said();
        }
    }

    /** Stops following and forgets what was said. */
    public void forget(String jobUid) {
        FollowedLog log = logs.remove(jobUid);
        if (log != null) {
            log.close();
        }
    }

    /** How many logs are remembered. */
    int size() {
        return logs.size();
    }

    private void tidy() {
        Instant now = clock.instant();
        logs.forEach((uid, log) -> {
            log.wakeIfSilent(now);
            if (log.lastAsked().plus(REMEMBERED).isBefore(now)) {
                forget(uid);
            }
        });
    }

    @Override
    public void close() {
        watch.shutdownNow();
        List.copyOf(logs.keySet()).forEach(this::forget);
        readers.shutdownNow();
    }

    private static Thread daemon(Runnable r, String name) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        return t;
    }
}

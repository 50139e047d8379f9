package dev.datachecksums.operator.offline;

import dev.datachecksums.operator.offline.LogFollower.Followed;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of one Job's pod: reads it, reads it again when the stream drops, and knows what was said so far. */
final class FollowedLog {

    private static final Logger LOG = LoggerFactory.getLogger(FollowedLog.class);

    /** Between two tries, while something is due any moment: the start of the container, the next line. */
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(100);
    /** How long after the pod was made, or after its last word, something is due. */
    private static final Duration DUE = Duration.ofSeconds(15);

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);
    /** A connection that was lost without a word looks like silence: it is opened anew. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    /** How one reading ended. */
    private enum End {
        /** The stream ended: the container has, or the connection was closed. */
        CLOSED,
        /** There is no log yet, or no answer. */
        NOTHING,
        /** The pod has gone, and its log with it. */
        POD_GONE
    }

    private final KubernetesClient client;
    private final LogFollower.Listener listener;
    private final Clock clock;

    private final Object lock = new Object();
    private JobLog said = JobLog.EMPTY;
    private @Nullable Followed followed;
    private @Nullable InputStream open;
    private Instant heard;
    private Instant lastAsked;
    private boolean ended;
    private boolean settled;
    private boolean closed;

    FollowedLog(KubernetesClient client, LogFollower.Listener listener, Clock clock) {
        this.client = client;
        this.listener = listener;
        this.clock = clock;
        this.heard = clock.instant();
        this.lastAsked = heard;
    }

    /** Whether this pod has to be read by a new thread: it is the Job's first, or another than before. */
    boolean takes(Followed pod) {
        synchronized (lock) {
            if (closed || pod.equals(followed)) {
                return false;
            }
            followed = pod;
            ended = false;
            settled = false;
            wake();
            return true;
        }
    }

    /** Reads until the container has ended, the pod has gone, or nobody wants to know. */
    void run(Followed pod) {
        LogLines lines = new LogLines();
        Instant since = clock.instant();
        Duration wait = SHORTEST_WAIT;
        try {
            while (wanted(pod)) {
                boolean last = hasEnded();
                JobLog before = said();
                End end = read(pod, lines, !last);
                if (end == End.POD_GONE || (last && end == End.CLOSED)) {
                    return;
                }
                if (!said().equals(before)) {
                    since = clock.instant();
                }
                wait = since.plus(DUE).isAfter(clock.instant()) ? SHORTEST_WAIT : longer(wait);
                pause(pod, wait, last);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            settle(pod);
        }
    }

    private End read(Followed pod, LogLines lines, boolean follow) throws InterruptedException {
        CompletableFuture<HttpResponse<InputStream>> asked = ask(pod, lines, follow);
        try (InputStream in = body(asked.get(SILENCE.toMillis(), TimeUnit.MILLISECONDS))) {
            int code = asked.join().code();
            if (!HttpResponse.isSuccessful(code)) {
                return code == HttpURLConnection.HTTP_NOT_FOUND ? End.POD_GONE : End.NOTHING;
            }
            reading(in);
            lines.read(in, line -> hear(pod, line));
            return End.CLOSED;
        } catch (TimeoutException e) {
            var unused = asked.thenAccept(late -> closeQuietly(late.body()));
            return End.NOTHING;
        } catch (ExecutionException | IOException e) {
            // A broken stream is no end: the container may go on.
            LOG.debug("log of {}/{}: {}", pod.namespace(), pod.pod(), e.toString());
            return End.NOTHING;
        } finally {
            reading(null);
        }
    }

    /** By hand: the client's watchLog() first waits until the pod is ready, and reports a broken stream as its end. */
    private CompletableFuture<HttpResponse<InputStream>> ask(Followed pod, LogLines lines, boolean follow) {
        HttpClient http = client.getHttpClient()
                .newBuilder()
                .tag(new RequestConfigBuilder()
                        .withRequestTimeout(0)
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
        HttpRequest request = http.newHttpRequestBuilder()
                .uri(client.getMasterUrl() + "api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.pod()
                        + "/log?container=" + ConversionJob.CONTAINER + "&timestamps=true&follow=" + follow
                        + lines.since().map(FollowedLog::since).orElse(""))
                .build();
        return http.sendAsync(request, InputStream.class);
    }

    /** Whole seconds are all that the API carries; {@link LogLines} skips what comes again. */
    private static String since(Instant last) {
        return "&sinceTime=" + Instant.ofEpochSecond(last.getEpochSecond());
    }

    private static InputStream body(HttpResponse<InputStream> response) {
        return response.body() == null ? InputStream.nullInputStream() : response.body();
    }

    private void hear(Followed pod, String line) {
        synchronized (lock) {
            heard = clock.instant();
            JobLog more = LogReader.plus(said, line);
            if (more.equals(said)) {
                return;
            }
            said = more;
        }
        try {
            listener.said(pod.namespace(), pod.resource());
        } catch (RuntimeException e) {
            LOG.warn("the listener of Job logs failed", e);
        }
    }

    /** Waits until the log was read to its end, at most {@code patience}, and adds the termination message. */
    JobLog ended(String terminationMessage, Duration patience) throws InterruptedException {
        synchronized (lock) {
            if (!ended) {
                ended = true;
                wake();
            }
            long deadline = System.nanoTime() + patience.toNanos();
            for (long left = patience.toNanos(); !settled && !closed && left > 0; left = deadline - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(lock, left);
            }
            for (String line : terminationMessage.split("\n", -1)) {
                said = LogReader.plus(said, line);
            }
            return said;
        }
    }

    /** A connection that is lost without a word looks like a script that says nothing: it is opened anew. */
    void wakeIfSilent(Instant now) {
        synchronized (lock) {
            if (open != null && heard.plus(SILENCE).isBefore(now)) {
                heard = now;
                wake();
            }
        }
    }

    void close() {
        synchronized (lock) {
            closed = true;
            wake();
        }
    }

    JobLog said() {
        synchronized (lock) {
            return said;
        }
    }

    void asked() {
        synchronized (lock) {
            lastAsked = clock.instant();
        }
    }

    Instant lastAsked() {
        synchronized (lock) {
            return lastAsked;
        }
    }

    private boolean wanted(Followed pod) {
        synchronized (lock) {
            return !closed && pod.equals(followed);
        }
    }

    private boolean hasEnded() {
        synchronized (lock) {
            return ended;
        }
    }

    private void settle(Followed pod) {
        synchronized (lock) {
            if (pod.equals(followed)) {
                settled = true;
                lock.notifyAll();
            }
        }
    }

    /** Waits, unless what it waits for has come: the end of the container is no reason to wait before the last reading. */
    private void pause(Followed pod, Duration wait, boolean knewOfEnd) throws InterruptedException {
        synchronized (lock) {
            if (!closed && pod.equals(followed) && ended == knewOfEnd) {
                TimeUnit.MILLISECONDS.timedWait(lock, wait.toMillis());
            }
        }
    }

    private void reading(@Nullable InputStream in) {
        synchronized (lock) {
            open = in;
            if (in != null) {
                heard = clock.instant();
            }
        }
    }

    /** Ends the wait or the read that the reading thread is in. Only with the lock held. */
    private void wake() {
        lock.notifyAll();
        if (open != null) {
            closeQuietly(open);
            open = null;
        }
    }

    private static void closeQuietly(@Nullable InputStream in) {
        if (in == null) {
            return;
        }
        try {
            in.close();
        } catch (IOException e) {
            LOG.debug("closing a log: {}", e.toString());
        }
    }

    private static Duration longer(Duration wait) {
        Duration twice = wait.multipliedBy(2);
        return twice.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : twice;
    }
}

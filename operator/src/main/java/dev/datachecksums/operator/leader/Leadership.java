package dev.datachecksums.operator.leader;

import dev.datachecksums.operator.observe.ApiProblem;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this operator is the one that acts. One Lease is renewed by its holder; whoever has seen it unchanged for
 * {@link #LEASE} takes it over. Time is each process's own, counted from what it saw itself, so clocks that differ or
 * jump take nothing from it. The holder's right ends {@link #FENCE} after the start of its last successful renewal, so
 * an act begun before that has the rest of the lease to come to its end. A holder that cannot reach the API loses the
 * lease and waits like any other; the process goes on.
 *
 * <p>The SDK's own election ends the process in that case (a crash loop, with a database held down), compares the
 * clocks of two machines, and does not give the lease back.
 */
public final class Leadership implements AutoCloseable {

    /** Seen unchanged for so long, a lease is free. */
    static final Duration LEASE = Duration.ofSeconds(15);
    /** So long after its last renewal a holder begins nothing more. */
    static final Duration FENCE = Duration.ofSeconds(8);
    /** Between two looks. */
    static final Duration RETRY = Duration.ofSeconds(2);
    /** After so many failed looks this process could not take over. */
    private static final Duration BLIND = Duration.ofSeconds(30);
    /** The Lease's name. */
    public static final String NAME = "datachecksums-operator";

    /**
     * What somebody has deleted: whoever held it does not know yet, so it is free after its time. That it is not made anew at once leaves
     * none behind, either, where the operator is being removed.
     */
    private static final LeaseView GONE = new LeaseView("somebody", "", null, 0);

    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
    private static final int CONFLICT = 409;

    /** What happens when the lease is won or lost. */
    public interface Listener {
        /** From now on this process acts. */
        void gained();

        /** It acts no more, and what it remembers may no longer be so. */
        void lost();
    }

    private final LeaseStore store;
    private final String identity;
    private final LongSupplier nanos;
    private final Listener listener;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(r -> {
        Thread t = new Thread(r, "leader");
        t.setDaemon(true);
        return t;
    });

    private @Nullable LeaseView seen;
    private long seenSince;
    private volatile boolean leads;
    private volatile long renewed;
    private volatile long answered;
    private volatile String problem = "";

    Leadership(LeaseStore store, String identity, LongSupplier nanos, Listener listener) {
        this.store = store;
        this.identity = identity;
        this.nanos = nanos;
        this.listener = listener;
        this.answered = nanos.getAsLong();
    }

    /** For that identity, with the Lease in that namespace; {@link #start} begins. */
    public static Leadership of(
            KubernetesClient client, String namespace, String identity, Clock clock, Listener listener) {
        LeaseOwner owner = new LeaseOwner(client, namespace, identity);
        return new Leadership(
                new KubernetesLease(client, namespace, NAME, owner, LEASE, clock),
                identity,
                System::nanoTime,
                listener);
    }

    /** Looks from now on, on a thread of its own. */
    public void start() {
        again(Duration.ZERO);
    }

    private void again(Duration pause) {
        try {
            // A look catches all that it may throw, so nobody waits for this.
            ScheduledFuture<?> unused = thread.schedule(
                    () -> {
                        try {
                            look();
                        } finally {
                            again(pause());
                        }
                    },
                    pause.toNanos(),
                    TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // closed
        }
    }

    /** Until the next look, which comes as soon as the lease of a holder that stays silent has run out. */
    synchronized Duration pause() {
        Duration left = LEASE.minusNanos(nanos.getAsLong() - seenSince);
        return leads || seen == null || left.isNegative() || left.compareTo(RETRY) > 0 ? RETRY : left;
    }

    /** Whether this process may begin an act now. */
    public boolean held() {
        return leads && nanos.getAsLong() - renewed < FENCE.toNanos();
    }

    /** Why this process could not take over, if it could not. */
    public Optional<String> unable() {
        return nanos.getAsLong() - answered > BLIND.toNanos()
                ? Optional.of("the Lease cannot be read or written: " + problem)
                : Optional.empty();
    }

    /** One look at the Lease, and what follows from it. */
    synchronized void look() {
        long began = nanos.getAsLong();
        try {
            Optional<LeaseView> now = store.read();
            if (now.isEmpty()) {
                if (seen == null || free(GONE, began)) {
                    hold(store.create(identity), began);
                }
            } else if (now.get().holder().equals(identity) || free(now.get(), began)) {
                hold(store.write(now.get(), identity), began);
            } else if (leads) {
                lose(now.get().holder() + " holds the lease");
            }
            answered = nanos.getAsLong();
            problem = "";
        } catch (KubernetesClientException e) {
            if (e.getCode() == CONFLICT) {
                // Somebody was quicker: the next look says who.
                answered = nanos.getAsLong();
            } else {
                note(e.getCode() <= 0 ? "the API does not answer" : "HTTP " + e.getCode());
            }
        } catch (RuntimeException e) {
            // Else the thread would never look again.
            note(String.valueOf(e));
        }
        if (leads && !held()) {
            lose("the lease could not be renewed in time: " + problem);
        }
    }

    private void note(String what) {
        if (!what.equals(problem)) {
            LOG.warn("the Lease {}: {}", NAME, what);
        }
        problem = what;
    }

    private boolean free(LeaseView now, long at) {
        if (!now.equals(seen)) {
            seen = now;
            seenSince = at;
        }
        return now.holder().isEmpty() || at - seenSince >= LEASE.toNanos();
    }

    private void hold(LeaseView now, long began) {
        seen = now;
        renewed = began;
        if (!leads) {
            leads = true;
            LOG.info("leading as {}", identity);
            listener.gained();
        }
    }

    private void lose(String why) {
        leads = false;
        LOG.warn("not leading any more: {}", why);
        listener.lost();
    }

    /** Looks no more, and gives the lease back, so that another takes over at its next look. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            // A look that is under way would take it back.
            if (!thread.awaitTermination(3 * ApiProblem.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        giveBack();
    }

    private synchronized void giveBack() {
        LeaseView last = seen;
        if (!leads || last == null) {
            return;
        }
        leads = false;
        if (last.equals(GONE)) {
            return;
        }
        try {
            store.write(last, "");
            LOG.info("gave the lease back");
        } catch (KubernetesClientException e) {
            LOG.warn("the lease could not be given back: another takes over {} s from now", LEASE.toSeconds());
        }
    }
}

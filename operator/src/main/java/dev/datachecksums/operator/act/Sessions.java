package dev.datachecksums.operator.act;

import dev.datachecksums.operator.observe.SessionFacts;
import dev.datachecksums.operator.observe.SessionFacts.State;
import dev.datachecksums.operator.postgres.HeldSession;
import dev.datachecksums.operator.postgres.Interlock;
import dev.datachecksums.operator.postgres.PostgresServer;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerProblem;
import dev.datachecksums.operator.postgres.ServerTarget;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The superuser sessions that are held from before a stop, one a resource. The CHECKPOINT of a busy server takes its
 * time, so it runs on a thread of its own, and the reconciler is woken when it has ended.
 */
public final class Sessions implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);

    /** What will not be otherwise at the next try. */
    private static final Set<ServerProblem> LASTING =
            Set.of(ServerProblem.PROGRAM_FAILED, ServerProblem.PERMISSION_DENIED, ServerProblem.BEHIND_POOLER);

    private final PostgresServer postgres;
    private final Clock clock;
    private final Duration checkpointLimit;
    private final Map<String, Held> held = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(r -> {
        Thread t = new Thread(r, "checkpoint");
        t.setDaemon(true);
        return t;
    });

    /** Checkpoints may take until {@code checkpointLimit}. */
    public Sessions(PostgresServer postgres, Clock clock, Duration checkpointLimit) {
        this.postgres = postgres;
        this.clock = clock;
        this.checkpointLimit = checkpointLimit;
    }

    /** How the session of that resource stands; asks the server whether an open one is still alive. */
    public SessionFacts facts(String uid) {
        Held h = held.get(uid);
        return h == null ? SessionFacts.none(clock.instant()) : h.facts();
    }

    /** Opens one and checkpoints through it, in the background; one that is open already is only checkpointed again. */
    void prepare(String uid, ServerTarget target, Runnable woken) {
        Held h = held.computeIfAbsent(uid, u -> new Held());
        if (h.begin()) {
            threads.execute(() -> {
                h.prepare(target);
                woken.run();
            });
        }
    }

    /** Writes the first interlock and verifies it by the server's own word. */
    void arm(String uid, Interlock interlock) throws ServerException {
        Held h = held.get(uid);
        if (h != null) {
            h.arm(interlock);
        }
    }

    /** Whether the interlock still stands, seen through the session, just before the stop. */
    boolean armed(String uid) throws ServerException {
        Held h = held.get(uid);
        HeldSession s = h == null ? null : h.session;
        return s != null && s.interlockPresent();
    }

    /** Sends the fast shutdown. */
    void fastShutdown(String uid) throws ServerException {
        Held h = held.get(uid);
        HeldSession s = h == null ? null : h.session;
        if (s != null) {
            s.fastShutdown();
        }
    }

    /** Ends the session, if there is one. */
    public void drop(String uid) {
        Held h = held.remove(uid);
        if (h != null) {
            h.close();
        }
    }

    @Override
    public void close() {
        held.keySet().forEach(this::drop);
        threads.shutdownNow();
    }

    private final class Held {
        private State state = State.NONE;
        private Instant since = clock.instant();
        private Optional<Instant> interlocked = Optional.empty();
        private Optional<String> problem = Optional.empty();
        private volatile @Nullable HeldSession session;
        private boolean closed;

        synchronized boolean begin() {
            if (state == State.PREPARING) {
                return false;
            }
            enter(State.PREPARING);
            return true;
        }

        void prepare(ServerTarget target) {
            try {
                HeldSession s = session;
                if (s == null || !s.isAlive()) {
                    s = postgres.hold(target);
                    if (!keep(s)) {
                        return;
                    }
                }
                s.checkpoint(checkpointLimit);
                synchronized (this) {
                    enter(State.READY);
                }
            } catch (ServerException e) {
                fail(String.valueOf(e.getMessage()));
            } catch (RuntimeException e) {
                LOG.error("a session could not be prepared", e);
                fail("internal error, see the operator's log");
            }
        }

        /** False if the session was dropped while it was being opened: then it is closed at once. */
        private synchronized boolean keep(HeldSession s) {
            if (closed) {
                s.close();
                return false;
            }
            session = s;
            return true;
        }

        private synchronized void fail(String why) {
            problem = Optional.of(why);
            enter(State.BROKEN);
        }

        void arm(Interlock interlock) throws ServerException {
            HeldSession s = session;
            if (s == null) {
                return;
            }
            try {
                s.writeInterlock(interlock);
            } catch (ServerException e) {
                if (LASTING.contains(e.kind())) {
                    fail(String.valueOf(e.getMessage()));
                }
                throw e;
            }
            synchronized (this) {
                interlocked = Optional.of(clock.instant());
            }
        }

        private void enter(State next) {
            state = next;
            since = clock.instant();
        }

        SessionFacts facts() {
            HeldSession s = session;
            boolean dead = s != null && isReady() && !s.isAlive();
            synchronized (this) {
                if (dead && state == State.READY) {
                    fail("the connection to the server broke");
                }
                return new SessionFacts(state, since, interlocked, problem);
            }
        }

        private synchronized boolean isReady() {
            return state == State.READY;
        }

        synchronized void close() {
            closed = true;
            HeldSession s = session;
            if (s != null) {
                s.close();
            }
        }
    }
}

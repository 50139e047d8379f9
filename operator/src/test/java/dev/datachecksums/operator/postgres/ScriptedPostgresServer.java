package dev.datachecksums.operator.postgres;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A server that answers what a test told it to: each answer once, the last one for ever. Every call is written down, so that a test can
 * say which were made and in what order.
 */
public final class ScriptedPostgresServer implements PostgresServer {
    private interface Answering {
        ServerFacts answer() throws ServerException;
    }

    private final Deque<Answering> answers = new ArrayDeque<>();
    private final List<String> calls = new ArrayList<>();
    private boolean sessionAlive = true;
    private boolean interlocked;

    /** The kind of failure, as a real server would cause it. */
    public static ServerException failure(ServerProblem kind) {
        return new ServerException(kind, "scripted: " + kind);
    }

    public synchronized ScriptedPostgresServer answer(ServerFacts facts) {
        answers.add(() -> facts);
        return this;
    }

    public synchronized ScriptedPostgresServer fail(ServerProblem kind) {
        answers.add(() -> {
            throw failure(kind);
        });
        return this;
    }

    /** From now on a held session is broken, and every call on it fails. */
    public synchronized void breakSessions() {
        sessionAlive = false;
    }

    public synchronized boolean interlocked() {
        return interlocked;
    }

    /** observe, hold, checkpoint, writeInterlock, liftInterlock, fastShutdown, close: in the order of their calls. */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    @Override
    public synchronized ServerFacts observe(ServerTarget target) throws ServerException {
        calls.add("observe");
        Answering next = answers.size() > 1 ? answers.remove() : answers.element();
        return next.answer();
    }

    @Override
    public synchronized HeldSession hold(ServerTarget target) throws ServerException {
        calls.add("hold");
        sessionAlive = true;
        return new Session();
    }

    private synchronized void called(String call) throws ServerException {
        calls.add(call);
        if (!sessionAlive) {
            throw failure(ServerProblem.UNREACHABLE);
        }
    }

    private final class Session implements HeldSession {
        @Override
        public int backendPid() {
            return 4711;
        }

        @Override
        public Instant postmasterStartTime() {
            return new SampleServerFacts().get().postmasterStartTime();
        }

        @Override
        public boolean isAlive() {
            synchronized (ScriptedPostgresServer.this) {
                return sessionAlive;
            }
        }

        @Override
        public void checkpoint(Duration atMost) throws ServerException {
            called("checkpoint");
        }

        @Override
        public void writeInterlock(Interlock interlock) throws ServerException {
            called("writeInterlock");
            synchronized (ScriptedPostgresServer.this) {
                interlocked = true;
            }
        }

        @Override
        public void liftInterlock() throws ServerException {
            called("liftInterlock");
            synchronized (ScriptedPostgresServer.this) {
                interlocked = false;
            }
        }

        @Override
        public boolean interlockPresent() throws ServerException {
            called("interlockPresent");
            return interlocked();
        }

        @Override
        public void fastShutdown() throws ServerException {
            called("fastShutdown");
            breakSessions();
        }

        @Override
        public void close() {
            synchronized (ScriptedPostgresServer.this) {
                calls.add("close");
            }
        }
    }
}

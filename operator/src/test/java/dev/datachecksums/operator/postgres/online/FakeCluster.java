package dev.datachecksums.operator.postgres.online;

import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.online.FakeSession.Holds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A scripted server. Its clock goes on by {@link #TICK} each time it is asked how it goes. */
public final class FakeCluster {
    static final Duration TICK = Duration.ofMillis(20);
    private static final int SHARED_BLOCKS = 10;

    public final List<FakeDatabase> databases = new ArrayList<>();
    public final List<FakeSession> sessions = new ArrayList<>();
    final List<FakeCluster> standbys = new ArrayList<>();
    public ChecksumState state = ChecksumState.OFF;
    boolean inRecovery;
    int timeline = 1;
    int maxWorkers = 8;
    long walBytes = 1_000_000;
    long workerBlocks;
    private Instant now = Instant.parse("2026-11-30T12:00:00Z");
    private Instant serverStarted = now;
    private int lastPid = 100;
    private long nextXid = 700;
    private long lastOid = 16_384;
    private @Nullable FakeRun run;

    public FakeCluster() {
        databases.add(new FakeDatabase(5, "postgres", true));
        databases.add(new FakeDatabase(1, "template1", true));
        databases.add(new FakeDatabase(4, "template0", false));
    }

    public Instant now() {
        return now;
    }

    int newPid() {
        return ++lastPid;
    }

    long nextXid() {
        return nextXid;
    }

    public FakeDatabase create(String name, boolean allowsConnections) {
        FakeDatabase made = new FakeDatabase(++lastOid, name, allowsConnections);
        databases.add(made);
        return made;
    }

    Optional<FakeDatabase> database(long oid) {
        return databases.stream().filter(d -> d.oid == oid).findFirst();
    }

    Optional<FakeDatabase> database(String name) {
        return databases.stream().filter(d -> d.name.equals(name)).findFirst();
    }

    public FakeSession open(String database, Holds holds, String table) {
        long xid = holds == Holds.XID || holds == Holds.UNCONFIRMED ? nextXid++ : 0;
        now = now.plusMillis(1);
        FakeSession session = new FakeSession(new SessionId(newPid(), now), database, holds, xid, table);
        sessions.add(session);
        return session;
    }

    Stream<FakeSession> sessions(Holds holds) {
        return sessions.stream().filter(s -> s.holds == holds);
    }

    boolean any(Holds holds) {
        return sessions(holds).findAny().isPresent();
    }

    Optional<FakeSession> locked(String database, String relation) {
        return sessions(Holds.LOCK)
                .filter(s -> s.database.equals(database) && relation.equals("public." + s.table))
                .findFirst();
    }

    /** One is the logical replication launcher's. */
    int freeWorkers() {
        return maxWorkers - usedWorkers();
    }

    private int usedWorkers() {
        FakeRun r = run;
        return Math.min(maxWorkers, 1) + (r == null ? 0 : r.hasWorker() ? 2 : 1);
    }

    public void call(boolean enable, Throttle throttle) {
        FakeRun r = run;
        if (r == null) {
            run = new FakeRun(this, enable, throttle);
        } else {
            r.told(enable, throttle);
        }
    }

    public void tick() {
        now = now.plus(TICK);
        FakeRun r = run;
        if (r != null) {
            r.tick();
            if (r.ended()) {
                run = null;
            }
        }
        follow();
    }

    private void follow() {
        for (FakeCluster standby : standbys) {
            if (standby.inRecovery) {
                standby.state = state;
                standby.now = now;
                standby.databases.clear();
                databases.forEach(d -> standby.databases.add(d.copy()));
            }
        }
    }

    Optional<FakeRun> run() {
        return Optional.ofNullable(run);
    }

    /** Blocks that were gone through in all: what only a script knows at any moment. */
    public long blocksDone() {
        return workerBlocks + run().map(FakeRun::workerBlocks).orElse(0L);
    }

    public void workerTerminated() {
        run().ifPresent(FakeRun::workerTerminated);
        forgetEnded();
    }

    public void launcherTerminated() {
        run().ifPresent(FakeRun::launcherTerminated);
        forgetEnded();
    }

    private void forgetEnded() {
        if (run != null && run.ended()) {
            run = null;
        }
    }

    public void restart() {
        launcherTerminated();
        sessions.clear();
        now = now.plusSeconds(1);
        serverStarted = now;
    }

    void promote() {
        inRecovery = false;
        timeline++;
        state = state == ChecksumState.ON ? ChecksumState.ON : ChecksumState.OFF;
    }

    public OnlineFacts facts() {
        List<OldTransaction> old = Stream.concat(sessions(Holds.XID), sessions(Holds.UNCONFIRMED))
                .<OldTransaction>map(s -> new OldTransaction.OfSession(s.xid, s.id.started(), s.facts(now)))
                .toList();
        return new OnlineFacts(
                now,
                state,
                serverStarted,
                inRecovery ? 0 : timeline,
                run().map(FakeRun::progress).orElse(OnlineProgress.NONE),
                databases.stream()
                        .map(d ->
                                new OnlineFacts.DatabaseSize(d.oid, d.name, d.bytes(), d.allowsConnections, d.invalid))
                        .toList(),
                SHARED_BLOCKS,
                Answer.given(workerBlocks),
                old,
                run().flatMap(FakeRun::lockHolder).map(s -> s.facts(now)).stream()
                        .toList(),
                standbys.stream()
                        .filter(s -> s.inRecovery)
                        .map(s -> new Replica("standby", "127.0.0.1", "streaming", "async", 0L))
                        .toList(),
                new OnlineFacts.WorkerSlots(maxWorkers, usedWorkers()),
                new WalFacts(16L << 20, 1L << 30, 0, walBytes, false, false),
                OnlineFacts.Costs.DEFAULT);
    }
}

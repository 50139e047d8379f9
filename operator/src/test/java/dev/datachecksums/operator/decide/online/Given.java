package dev.datachecksums.operator.decide.online;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.online.OldTransaction;
import dev.datachecksums.operator.postgres.online.OnlineFacts;
import dev.datachecksums.operator.postgres.online.OnlineProgress;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Launcher;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Step;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Task;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Worker;
import dev.datachecksums.operator.postgres.online.Replica;
import dev.datachecksums.operator.postgres.online.SessionFacts;
import dev.datachecksums.operator.postgres.online.SessionId;
import dev.datachecksums.operator.postgres.online.Throttle;
import dev.datachecksums.operator.postgres.online.WalFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A server's words for the tests: three databases of 100 MB, and whatever is said otherwise. */
final class Given {
    static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    static final Instant STARTED = NOW.minusSeconds(3600);
    static final long MB = 1_000_000;

    private ChecksumState state = ChecksumState.OFF;
    private Instant serverStarted = STARTED;
    private int timeline = 1;
    private @Nullable Launcher launcher;
    private @Nullable Worker worker;
    private long workerBlocks;
    private final List<OldTransaction> old = new ArrayList<>();
    private final List<SessionFacts> holders = new ArrayList<>();
    private final List<Replica> replicas = new ArrayList<>();
    private WalFacts wal = new WalFacts(16L << 20, 1L << 30, 0, 0, false, false);

    static Given server() {
        return new Given();
    }

    Given state(ChecksumState s) {
        this.state = s;
        return this;
    }

    Given startedAt(Instant t) {
        this.serverStarted = t;
        return this;
    }

    Given timeline(int t) {
        this.timeline = t;
        return this;
    }

    Given launcher(@Nullable String waits, @Nullable String activity, @Nullable Long total, @Nullable Long done) {
        this.launcher = new Launcher(new Task(50, STARTED, Step.ENABLING, waits, activity), total, done);
        return this;
    }

    Given launcher(long done) {
        return launcher("IPC:BgworkerShutdown", null, 3L, done);
    }

    Given worker(long oid, @Nullable String waits, @Nullable String activity, long relations, long blocks) {
        this.worker = new Worker(
                new Task(51, STARTED, Step.ENABLING, waits, activity), oid, "db" + oid, 3L, relations, 99L, blocks);
        return this;
    }

    Given waitingOnTemporaryTables(long oid) {
        this.worker = new Worker(
                new Task(51, STARTED, Step.WAITING_ON_TEMPORARY_TABLES, "IPC:ChecksumEnableTemptableWait", "Waiting"),
                oid,
                "db" + oid,
                3L,
                3L,
                1L,
                1L);
        return this;
    }

    Given workerBlocks(long n) {
        this.workerBlocks = n;
        return this;
    }

    Given old(OldTransaction t) {
        old.add(t);
        return this;
    }

    Given lockHolder(SessionFacts s) {
        holders.add(s);
        return this;
    }

    Given replica(String name, @Nullable Long lag) {
        replicas.add(new Replica(name, null, "streaming", "async", lag));
        return this;
    }

    Given wal(WalFacts w) {
        this.wal = w;
        return this;
    }

    OnlineFacts facts() {
        return new OnlineFacts(
                NOW,
                state,
                serverStarted,
                timeline,
                new OnlineProgress(Optional.ofNullable(launcher), Optional.ofNullable(worker)),
                List.of(
                        new OnlineFacts.DatabaseSize(1, "db1", 100 * MB, true, false),
                        new OnlineFacts.DatabaseSize(2, "db2", 100 * MB, true, false),
                        new OnlineFacts.DatabaseSize(3, "db3", 100 * MB, false, false)),
                0,
                Answer.given(workerBlocks),
                old,
                holders,
                replicas,
                new OnlineFacts.WorkerSlots(8, 1),
                wal,
                OnlineFacts.Costs.DEFAULT);
    }

    static SessionFacts session(int pid, @Nullable String waits) {
        return new SessionFacts(
                new SessionId(pid, NOW.minusSeconds(900)),
                "app",
                "billing",
                "db1",
                "idle in transaction",
                NOW.minusSeconds(720),
                NOW.minusSeconds(600),
                null,
                waits);
    }

    static OldTransaction old(long xid, int pid) {
        return new OldTransaction.OfSession(xid, NOW.minusSeconds(720), session(pid, "Client:ClientRead"));
    }

    static Run run(DesiredState to) {
        return new Run(
                to, NOW.minusSeconds(300), STARTED, 1, Throttle.NONE, Throttle.NONE, NOW.minusSeconds(300), null);
    }
}

package dev.datachecksums.operator.postgres.online;

import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.online.FakeDatabase.Relation;
import dev.datachecksums.operator.postgres.online.FakeSession.Holds;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A scripted launcher with its worker. Each {@link #tick} is a moment in which it goes on a little, as the server's own would. */
final class FakeRun {
    private enum At {
        BEGUN,
        BARRIER_BEFORE,
        TRANSACTIONS,
        DATABASE,
        RELATIONS,
        TEMPORARY_TABLES,
        BARRIER_AFTER,
        ENDED
    }

    final int pid;
    final Instant started;
    private final FakeCluster server;
    private boolean enables;
    private Throttle wanted;
    private Throttle throttle;
    private At at = At.BEGUN;
    private long waitsForXid;
    private List<Long> databases = List.of();
    private int database;
    private @Nullable FakeDatabase current;
    private int workerPid;
    private Instant workerStarted = Instant.EPOCH;
    private Set<SessionId> temporary = Set.of();
    private int relation;
    private int block;
    private long workerBlocks;
    private boolean onlyWaitsForBarrier;

    FakeRun(FakeCluster server, boolean enables, Throttle throttle) {
        this.server = server;
        this.enables = enables;
        this.wanted = throttle;
        this.throttle = throttle;
        this.pid = server.newPid();
        this.started = server.now();
    }

    /** What a second call does. */
    void told(boolean enable, Throttle newThrottle) {
        wanted = newThrottle;
        if (enable != enables) {
            endWorker();
            enables = enable;
            at = At.BEGUN;
        }
    }

    boolean ended() {
        return at == At.ENDED;
    }

    /** The process of the worker ends before its time. */
    void workerTerminated() {
        if (current != null && server.database(current.oid).isEmpty()) {
            endWorker();
            nextDatabase();
        } else {
            launcherTerminated();
        }
    }

    void launcherTerminated() {
        endWorker();
        if (server.state == ChecksumState.INPROGRESS_ON) {
            server.state = ChecksumState.OFF;
        }
        at = At.ENDED;
    }

    void tick() {
        switch (at) {
            case BEGUN -> begin();
            case BARRIER_BEFORE -> {
                if (!server.any(Holds.BARRIER) && !server.any(Holds.UNCONFIRMED)) {
                    at = enables ? At.TRANSACTIONS : At.BARRIER_AFTER;
                    waitsForXid = server.nextXid();
                }
            }
            case TRANSACTIONS -> {
                if (server.sessions(Holds.XID).noneMatch(s -> s.xid < waitsForXid)) {
                    databases = server.databases.stream().map(d -> d.oid).toList();
                    database = -1;
                    nextDatabase();
                }
            }
            case DATABASE -> beginWorker();
            case RELATIONS -> work();
            case TEMPORARY_TABLES -> {
                if (server.sessions(Holds.TEMPORARY_TABLE).noneMatch(s -> temporary.contains(s.id))) {
                    endWorker();
                    nextDatabase();
                }
            }
            case BARRIER_AFTER -> {
                if (!server.any(Holds.BARRIER) && !server.any(Holds.UNCONFIRMED)) {
                    server.state = enables ? ChecksumState.ON : ChecksumState.OFF;
                    at = At.ENDED;
                }
            }
            case ENDED -> {}
        }
    }

    private void begin() {
        boolean done = server.state == (enables ? ChecksumState.ON : ChecksumState.OFF);
        if (done) {
            at = At.ENDED;
        } else {
            server.state = enables ? ChecksumState.INPROGRESS_ON : ChecksumState.INPROGRESS_OFF;
            onlyWaitsForBarrier = true;
            at = At.BARRIER_BEFORE;
        }
    }

    private void nextDatabase() {
        database++;
        if (database < databases.size()) {
            at = At.DATABASE;
        } else {
            server.state = ChecksumState.ON;
            at = At.BARRIER_AFTER;
        }
    }

    private void beginWorker() {
        Optional<FakeDatabase> next = server.database(databases.get(database));
        if (next.isEmpty()) {
            nextDatabase();
        } else if (server.freeWorkers() < 1) {
            launcherTerminated();
        } else {
            current = next.get();
            workerPid = server.newPid();
            workerStarted = server.now();
            throttle = wanted;
            relation = 0;
            block = 0;
            workerBlocks = 0;
            String name = next.get().name;
            temporary = server.sessions(Holds.TEMPORARY_TABLE)
                    .filter(s -> s.database.equals(name))
                    .map(s -> s.id)
                    .collect(Collectors.toSet());
            at = At.RELATIONS;
        }
    }

    private void work() {
        List<Relation> relations = relations();
        if (relation == relations.size()) {
            at = At.TEMPORARY_TABLES;
            return;
        }
        Relation r = relations.get(relation);
        if (server.locked(databaseName(), r.name()).isPresent()) {
            return;
        }
        if (block == r.blocks()) {
            relation++;
            block = 0;
            throttle = wanted;
            return;
        }
        int n = Math.min(perTick(), r.blocks() - block);
        block += n;
        workerBlocks += n;
        server.walBytes += n * (OnlineFacts.BLOCK + 50L);
    }

    private int perTick() {
        return throttle.unthrottled()
                ? 5000
                : (int) Math.max(
                        1, throttle.costLimit() * 8L / throttle.costDelay().toMillis());
    }

    private void endWorker() {
        server.workerBlocks += workerBlocks;
        workerBlocks = 0;
        current = null;
        workerPid = 0;
    }

    long workerBlocks() {
        return workerBlocks;
    }

    boolean hasWorker() {
        return current != null;
    }

    private List<Relation> relations() {
        FakeDatabase d = current;
        return d == null ? List.of() : d.relations;
    }

    private String databaseName() {
        FakeDatabase d = current;
        return d == null ? "" : d.name;
    }

    Optional<FakeSession> lockHolder() {
        return at == At.RELATIONS && relation < relations().size()
                ? server.locked(databaseName(), relations().get(relation).name())
                : Optional.empty();
    }

    OnlineProgress progress() {
        if (at == At.ENDED) {
            return OnlineProgress.NONE;
        }
        OnlineProgress.Step step = at == At.BARRIER_AFTER && enables
                ? OnlineProgress.Step.WAITING_ON_BARRIER
                : enables ? OnlineProgress.Step.ENABLING : OnlineProgress.Step.DISABLING;
        boolean barrier = at == At.BARRIER_AFTER || (at == At.BARRIER_BEFORE && onlyWaitsForBarrier);
        String waits = barrier
                ? "IPC:ProcsignalBarrier"
                : at == At.TRANSACTIONS ? "IPC:" + Waits.START_CONDITION : hasWorker() ? "IPC:BgworkerShutdown" : null;
        boolean counts = enables && at.compareTo(At.TRANSACTIONS) > 0;
        return new OnlineProgress(
                Optional.of(new OnlineProgress.Launcher(
                        new OnlineProgress.Task(
                                pid,
                                started,
                                step,
                                waits,
                                at == At.TRANSACTIONS
                                        ? "Waiting for transactions older than " + waitsForXid + " to end"
                                        : null),
                        counts ? Long.valueOf(databases.size()) : null,
                        counts ? Long.valueOf(database) : null)),
                worker());
    }

    private Optional<OnlineProgress.Worker> worker() {
        FakeDatabase d = current;
        if (d == null) {
            return Optional.empty();
        }
        boolean temp = at == At.TEMPORARY_TABLES && !temporary.isEmpty();
        boolean working = at == At.RELATIONS && relation < d.relations.size();
        Relation r = d.relations.get(Math.min(relation, d.relations.size() - 1));
        String waits = temp
                ? "IPC:" + Waits.TEMPORARY_TABLES
                : lockHolder().isPresent() ? "Lock:relation" : throttle.unthrottled() ? null : "Timeout:VacuumDelay";
        String activity = temp
                ? "Waiting for " + temporary.size() + " temp tables to be removed"
                : working ? "processing: " + r.name() + " (main, " + r.blocks() + " blocks)" : null;
        return Optional.of(new OnlineProgress.Worker(
                new OnlineProgress.Task(
                        workerPid,
                        workerStarted,
                        temp ? OnlineProgress.Step.WAITING_ON_TEMPORARY_TABLES : OnlineProgress.Step.ENABLING,
                        waits,
                        activity),
                d.oid,
                d.name,
                (long) d.relations.size(),
                (long) relation,
                working ? Long.valueOf(r.blocks()) : Long.valueOf(1),
                working ? Long.valueOf(block) : Long.valueOf(1)));
    }
}

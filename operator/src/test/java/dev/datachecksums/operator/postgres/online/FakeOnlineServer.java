package dev.datachecksums.operator.postgres.online;

import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ScriptedProblem;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerProblem;
import dev.datachecksums.operator.postgres.ServerTarget;
import dev.datachecksums.operator.postgres.online.FakeSession.Holds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Scripted servers, one for each port. */
public final class FakeOnlineServer implements OnlineServer {
    private final Map<Integer, FakeCluster> byPort = new ConcurrentHashMap<>();

    public void serve(int port, FakeCluster cluster) {
        byPort.put(port, cluster);
    }

    @Override
    public void enable(ServerTarget target, Throttle throttle) throws ServerException {
        FakeCluster c = checked(target, "pg_enable_data_checksums()");
        Optional<FakeDatabase> invalid =
                c.databases.stream().filter(d -> d.invalid).findFirst();
        if (invalid.isPresent()) {
            throw refusal(
                    "55000", "cannot enable data checksums in a cluster with invalid database " + invalid.get().name);
        }
        if (c.run().isEmpty() && c.state != ChecksumState.ON && c.freeWorkers() < 1) {
            throw refusal("53000", "failed to start background worker to process data checksums");
        }
        c.call(true, throttle);
    }

    @Override
    public void disable(ServerTarget target) throws ServerException {
        checked(target, "pg_disable_data_checksums()").call(false, Throttle.NONE);
    }

    private FakeCluster checked(ServerTarget target, String function) throws ServerException {
        FakeCluster c = cluster(target);
        if (c.inRecovery) {
            throw refusal("25006", "cannot execute " + function + " during recovery");
        }
        if (!target.credentials().username().equals("postgres")) {
            throw refusal("42501", "must be superuser to change data checksum state");
        }
        return c;
    }

    private FakeCluster cluster(ServerTarget target) throws ServerException {
        FakeCluster c = byPort.get(target.address().port());
        if (c == null) {
            throw ScriptedProblem.of(ServerProblem.UNREACHABLE, "08001", "nothing listens there");
        }
        return c;
    }

    private static ServerException refusal(String sqlState, String message) {
        return ScriptedProblem.of(ServerProblem.OTHER, sqlState, message);
    }

    @Override
    public OnlineFacts read(ServerTarget target, @Nullable OnlineFacts sized) throws ServerException {
        FakeCluster c = cluster(target);
        c.tick();
        OnlineFacts f = c.facts();
        return sized == null
                ? f
                : new OnlineFacts(
                        f.observedAt(),
                        f.checksums(),
                        f.serverStarted(),
                        f.timeline(),
                        f.progress(),
                        sized.databases(),
                        sized.sharedBytes(),
                        f.workerBlocks(),
                        f.oldTransactions(),
                        f.lockHolders(),
                        f.replicas(),
                        f.slots(),
                        f.wal(),
                        f.costs());
    }

    @Override
    public List<RelationSize> relations(ServerTarget target, boolean sharedToo) throws ServerException {
        return cluster(target)
                .database(target.address().database())
                .orElseThrow()
                .sizes();
    }

    @Override
    public List<TemporaryTables> temporaryTables(ServerTarget target) throws ServerException {
        FakeCluster c = cluster(target);
        return c.sessions(Holds.TEMPORARY_TABLE)
                .filter(s -> s.database.equals(target.address().database()))
                .map(s -> new TemporaryTables("pg_temp_" + s.id.pid(), 1, Optional.of(s.facts(c.now()))))
                .toList();
    }

    @Override
    public DiskSpace walSpace(ServerTarget target) throws ServerException {
        cluster(target);
        return new DiskSpace(100L << 30, 60L << 30);
    }

    @Override
    public List<SessionId> terminate(ServerTarget target, List<SessionId> sessions) throws ServerException {
        FakeCluster c = cluster(target);
        List<SessionId> ended = new ArrayList<>();
        for (SessionId id : sessions) {
            if (c.sessions.removeIf(s -> s.id.equals(id))) {
                ended.add(id);
            }
        }
        return List.copyOf(ended);
    }
}

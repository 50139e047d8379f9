package dev.datachecksums.operator.postgres.online;

import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.Credentials;
import dev.datachecksums.operator.postgres.ServerAddress;
import dev.datachecksums.operator.postgres.ServerTarget;
import dev.datachecksums.operator.postgres.Timeouts;
import dev.datachecksums.operator.postgres.Tls;
import dev.datachecksums.operator.postgres.online.FakeSession.Holds;

/** A scripted server in the contracts. */
final class FakeOnlineWorld implements OnlineWorld {
    private static final int PRIMARY = 1;
    private static final int STANDBY = 2;

    private final FakeCluster cluster = new FakeCluster();
    private final FakeOnlineServer online = new FakeOnlineServer();

    FakeOnlineWorld() {
        online.serve(PRIMARY, cluster);
    }

    @Override
    public OnlineServer server() {
        return online;
    }

    @Override
    public ServerTarget target() {
        return target(PRIMARY, "postgres", "postgres");
    }

    @Override
    public ServerTarget target(String database) {
        return target(PRIMARY, database, "postgres");
    }

    @Override
    public ServerTarget granted() {
        return target(PRIMARY, "postgres", "granted");
    }

    private static ServerTarget target(int port, String database, String user) {
        return new ServerTarget(
                new ServerAddress("scripted", port, database),
                new Credentials(user, "unused"),
                Tls.of(Tls.Mode.DISABLE),
                Timeouts.DEFAULT);
    }

    @Override
    public void table(String database, String name, int blocks) {
        cluster.database(database).orElseThrow().add(name, blocks);
    }

    @Override
    public void createDatabase(String name) {
        cluster.create(name, true);
    }

    @Override
    public void createClosedDatabase(String name) {
        cluster.create(name, false);
    }

    @Override
    public void createInvalidDatabase(String name) {
        cluster.create(name, true).invalid = true;
    }

    @Override
    public void dropDatabase(String name) {
        cluster.databases.removeIf(d -> d.name.equals(name));
        cluster.workerTerminated();
    }

    @Override
    public boolean createDatabaseByFileCopy(String name) {
        boolean allowed = cluster.state == ChecksumState.OFF || cluster.state == ChecksumState.ON;
        if (allowed) {
            createDatabase(name);
        }
        return allowed;
    }

    @Override
    public Held writer() {
        return hold("postgres", Holds.XID, "");
    }

    @Override
    public Held reader() {
        return hold("postgres", Holds.SNAPSHOT, "");
    }

    @Override
    public Held temporaryTable(String database) {
        return hold(database, Holds.TEMPORARY_TABLE, "");
    }

    @Override
    public Held lock(String database, String table) {
        return hold(database, Holds.LOCK, table);
    }

    @Override
    public Held frozen() {
        return hold("postgres", Holds.BARRIER, "");
    }

    @Override
    public Held unconfirmed() {
        return hold("postgres", Holds.UNCONFIRMED, "");
    }

    @Override
    public int rowsSeenByAnybody() {
        OnlineProgress p = cluster.facts().progress();
        return (p.launcher().isPresent() ? 1 : 0) + (p.worker().isPresent() ? 1 : 0);
    }

    @Override
    public int phasesSeenByAnybody() {
        return 0;
    }

    @Override
    public int version() {
        return switch (cluster.state) {
            case ON -> 1;
            case INPROGRESS_OFF -> 2;
            case INPROGRESS_ON -> 3;
            case OFF, UNKNOWN -> 0;
        };
    }

    private Held hold(String database, Holds holds, String table) {
        FakeSession session = cluster.open(database, holds, table);
        return () -> cluster.sessions.remove(session);
    }

    @Override
    public void terminateWorker() {
        cluster.workerTerminated();
    }

    @Override
    public void cancelLauncher() {
        cluster.launcherTerminated();
    }

    @Override
    public void terminateLauncher() {
        cluster.launcherTerminated();
    }

    @Override
    public void restart() {
        cluster.restart();
    }

    @Override
    public void restartWithWorkers(int max) {
        cluster.restart();
        cluster.maxWorkers = max;
    }

    @Override
    public Standby standby() {
        FakeCluster standby = new FakeCluster();
        standby.inRecovery = true;
        cluster.standbys.add(standby);
        online.serve(STANDBY, standby);
        return new Standby() {
            @Override
            public ServerTarget target() {
                return FakeOnlineWorld.target(STANDBY, "postgres", "postgres");
            }

            @Override
            public void promote() {
                standby.promote();
            }

            @Override
            public void close() {
                cluster.standbys.remove(standby);
            }
        };
    }

    @Override
    public void close() {
        // Nothing is held outside of memory.
    }
}

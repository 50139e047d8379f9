package dev.datachecksums.operator.postgres.online;

import dev.datachecksums.operator.postgres.Credentials;
import dev.datachecksums.operator.postgres.LocalPostgres;
import dev.datachecksums.operator.postgres.ServerAddress;
import dev.datachecksums.operator.postgres.ServerTarget;
import dev.datachecksums.operator.postgres.Timeouts;
import dev.datachecksums.operator.postgres.Tls;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** A real server whose programs are in the directory that DATACHECKSUMS_ONLINE_PGBIN names. */
final class RealOnlineWorld implements OnlineWorld {
    private static final Timeouts AMPLE =
            new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(30));

    private final OnlineServer online = new JdbcOnlineServer(Clock.systemUTC(), false);
    private final LocalPostgres postgres = LocalPostgres.builder()
            .bin(bin())
            .set("autovacuum", "off")
            .set("wal_level", "replica")
            .start();

    static Path bin() {
        return Path.of(Objects.requireNonNull(
                System.getenv("DATACHECKSUMS_ONLINE_PGBIN"),
                "DATACHECKSUMS_ONLINE_PGBIN must name the bin directory of a server with the online functions"));
    }

    @Override
    public OnlineServer server() {
        return online;
    }

    @Override
    public ServerTarget target() {
        return target(postgres, "postgres", "postgres");
    }

    @Override
    public ServerTarget target(String database) {
        return target(postgres, database, "postgres");
    }

    static ServerTarget target(LocalPostgres server, String database, String user) {
        return new ServerTarget(
                new ServerAddress(server.address(), server.port(), database),
                new Credentials(user, "unused"),
                Tls.of(Tls.Mode.PREFER),
                AMPLE);
    }

    @Override
    public ServerTarget granted() {
        postgres.execute(
                "CREATE ROLE granted LOGIN",
                "GRANT pg_read_all_stats, pg_read_all_settings TO granted",
                "GRANT EXECUTE ON FUNCTION pg_enable_data_checksums(int, int), pg_disable_data_checksums() TO granted");
        return target(postgres, "postgres", "granted");
    }

    @Override
    public void table(String database, String name, int blocks) {
        execute(
                database,
                "CREATE TABLE " + name + " (x text STORAGE PLAIN)",
                "INSERT INTO " + name + " SELECT repeat('x', 5000) FROM generate_series(1, " + blocks + ")");
    }

    @Override
    public void createDatabase(String name) {
        postgres.execute("CREATE DATABASE " + name);
    }

    @Override
    public void createClosedDatabase(String name) {
        postgres.execute("CREATE DATABASE " + name + " ALLOW_CONNECTIONS false");
    }

    @Override
    public void createInvalidDatabase(String name) {
        postgres.execute(
                "CREATE DATABASE " + name, "UPDATE pg_database SET datconnlimit = -2 WHERE datname = '" + name + "'");
    }

    @Override
    public void dropDatabase(String name) {
        postgres.execute("DROP DATABASE " + name + " WITH (FORCE)");
    }

    @Override
    public boolean createDatabaseByFileCopy(String name) {
        try (Connection c = postgres.connect();
                Statement s = c.createStatement()) {
            s.execute("CREATE DATABASE " + name + " STRATEGY file_copy");
            return true;
        } catch (SQLException refused) {
            return false;
        }
    }

    @Override
    public Held writer() {
        return hold("postgres", "BEGIN", "SELECT pg_current_xact_id()");
    }

    @Override
    public Held reader() {
        return hold("postgres", "BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT count(*) FROM pg_class");
    }

    @Override
    public Held temporaryTable(String database) {
        return hold(database, "CREATE TEMPORARY TABLE scratch AS SELECT 1 AS x");
    }

    @Override
    public Held lock(String database, String table) {
        return hold(database, "BEGIN", "LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
    }

    private Held hold(String database, String... statements) {
        try {
            Connection c = postgres.connect("postgres", null, database);
            try (Statement s = c.createStatement()) {
                for (String sql : statements) {
                    s.execute(sql);
                }
            }
            return () -> closeQuietly(c);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void closeQuietly(Connection c) {
        try {
            c.close();
        } catch (SQLException ended) {
            // The server ended it: that is what some tests are about.
        }
    }

    @Override
    public Held frozen() {
        try {
            Connection c = postgres.connect();
            String pid;
            try (Statement s = c.createStatement();
                    java.sql.ResultSet rows = s.executeQuery("SELECT pg_backend_pid()")) {
                rows.next();
                pid = rows.getString(1);
            }
            signal("-STOP", pid);
            return () -> {
                signal("-CONT", pid);
                closeQuietly(c);
            };
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Held unconfirmed() {
        postgres.execute(
                "CREATE TABLE unconfirmed (x int)",
                "ALTER SYSTEM SET synchronous_standby_names = 'nobody'",
                "SELECT pg_reload_conf()");
        CompletableFuture<Void> commit =
                CompletableFuture.runAsync(() -> execute("postgres", "INSERT INTO unconfirmed VALUES (1)"));
        org.awaitility.Awaitility.await()
                .until(() -> "1"
                        .equals(postgres.query("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")));
        return () -> {
            postgres.execute("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()");
            commit.join();
        };
    }

    @Override
    public int rowsSeenByAnybody() {
        return seenByAnybody("*");
    }

    @Override
    public int phasesSeenByAnybody() {
        return seenByAnybody("phase");
    }

    private int seenByAnybody(String column) {
        postgres.execute("DO 'BEGIN CREATE ROLE anybody LOGIN; EXCEPTION WHEN duplicate_object THEN END'");
        try (Connection c = postgres.connect("anybody", null, "postgres");
                Statement s = c.createStatement();
                java.sql.ResultSet rows =
                        s.executeQuery("SELECT count(" + column + ") FROM pg_stat_progress_data_checksums")) {
            rows.next();
            return rows.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int version() {
        return Integer.parseInt(postgres.controlData("Data page checksum version"));
    }

    private void signal(String signal, String pid) {
        postgres.account().run(Path.of("/bin"), "kill", signal, pid).orThrow();
    }

    @Override
    public void terminateWorker() {
        end("pg_terminate_backend", "worker");
    }

    @Override
    public void cancelLauncher() {
        end("pg_cancel_backend", "launcher");
    }

    @Override
    public void terminateLauncher() {
        end("pg_terminate_backend", "launcher");
    }

    private void end(String by, String role) {
        postgres.execute("SELECT " + by
                + "(pid) FROM pg_stat_activity WHERE backend_type ~ 'checksum' AND backend_type ~ '" + role + "$'");
    }

    @Override
    public void restart() {
        postgres.restart();
    }

    @Override
    public void restartWithWorkers(int max) {
        postgres.configure(Map.of("max_worker_processes", Integer.toString(max)));
        postgres.restart();
    }

    @Override
    public Standby standby() {
        LocalPostgres standby = postgres.standby();
        return new Standby() {
            @Override
            public ServerTarget target() {
                return RealOnlineWorld.target(standby, "postgres", "postgres");
            }

            @Override
            public void promote() {
                standby.execute("SELECT pg_promote()");
            }

            @Override
            public void close() {
                standby.close();
            }
        };
    }

    private void execute(String database, String... statements) {
        hold(database, statements).close();
    }

    @Override
    public void close() {
        postgres.close();
    }
}

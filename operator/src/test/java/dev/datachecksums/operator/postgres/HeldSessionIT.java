package dev.datachecksums.operator.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The session that is kept, and the stop, on real servers. */
class HeldSessionIT {
    private static final Interlock INTERLOCK = new Interlock("datachecksums-operator default/orders");

    private final PostgresServer postgres = new JdbcPostgresServer(Clock.systemUTC());
    private LocalPostgres server;

    @BeforeEach
    void start() {
        server = LocalPostgres.builder().start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HeldSession hold() throws ServerException {
        return postgres.hold(Targets.of(server));
    }

    @Test
    void knowsWhomItHolds() throws ServerException {
        try (HeldSession session = hold()) {
            assertThat(server.query(
                            "SELECT application_name FROM pg_stat_activity WHERE pid = " + session.backendPid()))
                    .isEqualTo("datachecksums-operator");
            assertThat(session.postmasterStartTime())
                    .isEqualTo(postgres.observe(Targets.of(server)).postmasterStartTime());
            assertThat(session.isAlive()).isTrue();
            server.execute("SELECT pg_terminate_backend(" + session.backendPid() + ")");
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !session.isAlive());
        }
    }

    @Test
    void outlastsTheServersOwnIdleLimits() throws ServerException {
        boolean known =
                "1".equals(server.query("SELECT count(*) FROM pg_settings WHERE name = 'idle_session_timeout'"));
        if (known) {
            server.execute("ALTER ROLE postgres SET idle_session_timeout = '50ms'");
        }
        try (HeldSession session = hold()) {
            // Twenty times as long as the limit, by the server's own clock.
            assertThat(server.query("SELECT pg_sleep(1)")).isNotNull();
            assertThat(session.isAlive()).isTrue();
            session.checkpoint(Duration.ofSeconds(30));
        }
    }

    @Test
    void refusesARoleThatCannotStopTheServer() {
        server.execute("CREATE ROLE plain LOGIN");
        ServerException failure = catchThrowableOfType(
                ServerException.class, () -> postgres.hold(Targets.of(server, new Credentials("plain", "x"))));
        assertThat(failure.kind()).isEqualTo(ServerProblem.PERMISSION_DENIED);
        assertThat(failure).hasMessageContaining("plain");
    }

    @Test
    void checkpointsWithinTheTimeGiven() throws ServerException {
        String before = server.controlData("Latest checkpoint location");
        server.execute("CREATE TABLE t AS SELECT generate_series(1, 1000)");
        try (HeldSession session = hold()) {
            session.checkpoint(Duration.ofSeconds(30));
            assertThat(server.controlData("Latest checkpoint location")).isNotEqualTo(before);
            ServerException failure = catchThrowableOfType(ServerException.class, () -> {
                server.execute("CREATE TABLE u AS SELECT generate_series(1, 3000000)");
                session.checkpoint(Duration.ofMillis(1));
            });
            assertThat(failure.kind()).isEqualTo(ServerProblem.TIMED_OUT);
            assertThat(session.isAlive()).isTrue();
        }
    }

    @Test
    void stopsCleanlyWithAnIdleClientAndAnOpenTransaction() throws Exception {
        try (Connection idle = server.connect();
                Connection open = server.connect();
                Statement statement = open.createStatement();
                HeldSession session = hold()) {
            open.setAutoCommit(false);
            statement.execute("CREATE TABLE t (x int)");
            assertThat(idle.isValid(5)).isTrue();
            session.fastShutdown();
            server.awaitStopped();
            assertThat(session.isAlive()).isFalse();
        }
        assertThat(server.controlData("Database cluster state")).isEqualTo("shut down");
    }

    @Test
    void armsAndStopsAStandbyAndAServerThatIsReadOnlyByDefault() throws Exception {
        server.execute("ALTER ROLE postgres SET default_transaction_read_only = on");
        try (LocalPostgres standby = server.standby()) {
            for (LocalPostgres each : List.of(standby, server)) {
                try (HeldSession session = postgres.hold(Targets.of(each))) {
                    session.checkpoint(Duration.ofSeconds(30));
                    session.writeInterlock(INTERLOCK);
                    session.liftInterlock();
                    session.writeInterlock(INTERLOCK);
                    session.fastShutdown();
                    each.awaitStopped();
                }
            }
            assertThat(standby.controlData("Database cluster state")).isEqualTo("shut down in recovery");
            assertThat(server.controlData("Database cluster state")).isEqualTo("shut down");
        }
    }

    @Test
    void doesNotSignalAProcessThatIsNotItsOwnPostmaster() throws Exception {
        String pidFile = Files.readString(server.pidFile());
        Files.writeString(server.pidFile(), ProcessHandle.current().pid() + pidFile.substring(pidFile.indexOf('\n')));
        try (HeldSession session = hold()) {
            ServerException failure = catchThrowableOfType(ServerException.class, session::fastShutdown);
            assertThat(failure.kind()).isEqualTo(ServerProblem.PROGRAM_FAILED);
            assertThat(failure).hasMessageContaining("another server");
            assertThat(session.isAlive()).isTrue();
        } finally {
            Files.writeString(server.pidFile(), pidFile);
        }
    }

    @Test
    void everyCallFailsClearlyOnceTheServerIsGone() throws ServerException {
        try (HeldSession session = hold()) {
            server.kill9();
            assertThat(session.isAlive()).isFalse();
            assertThat(catchThrowableOfType(ServerException.class, () -> session.writeInterlock(INTERLOCK))
                            .kind())
                    .isIn(ServerProblem.UNREACHABLE, ServerProblem.SHUTTING_DOWN);
            assertThat(catchThrowableOfType(ServerException.class, () -> session.checkpoint(Duration.ofSeconds(1)))
                            .kind())
                    .isIn(ServerProblem.UNREACHABLE, ServerProblem.SHUTTING_DOWN);
        }
    }
}

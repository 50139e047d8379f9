package dev.datachecksums.operator.decide.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.Gate;
import dev.datachecksums.operator.decide.Observations;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.Credentials;
import dev.datachecksums.operator.postgres.JdbcPostgresServer;
import dev.datachecksums.operator.postgres.LocalPostgres;
import dev.datachecksums.operator.postgres.PostgresServer;
import dev.datachecksums.operator.postgres.ServerAddress;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.ServerTarget;
import dev.datachecksums.operator.postgres.Timeouts;
import dev.datachecksums.operator.postgres.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The gate's no, from what real servers say. What only a cluster can say is given. */
class GateIT {
    private static final String SECRET = "s3cret";

    private static LocalPostgres server;

    private final PostgresServer postgres = new JdbcPostgresServer(Clock.systemUTC());
    private final Gate gate = Gates.standard();

    @BeforeAll
    static void start() {
        server = LocalPostgres.builder().password(SECRET).start();
        server.execute("CREATE ROLE app LOGIN PASSWORD 'app'");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aHealthyServerPasses() {
        assertThat(findings(superuser())).isEmpty();
    }

    @Test
    void aWrongPassword() {
        assertThat(findings(target("postgres", "wrong", server.port(), "postgres")))
                .singleElement()
                .isInstanceOf(Finding.Block.class)
                .satisfies(f -> assertThat(f.check()).isEqualTo("Authenticated"))
                .satisfies(f -> assertThat(f.words()).doesNotContain("wrong"));
    }

    @Test
    void noSuchDatabase() {
        blocked(target("postgres", SECRET, server.port(), "orders"), "Authenticated");
    }

    @Test
    void nobodyListens() throws IOException {
        int port;
        try (ServerSocket once = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = once.getLocalPort();
        }
        blocked(target("postgres", SECRET, port, "postgres"), "Reachable");
    }

    @Test
    void anotherProtocol() throws IOException {
        try (ServerSocket http = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> answer(http), "no-postgres");
            answering.setDaemon(true);
            answering.start();
            blocked(target("postgres", SECRET, http.getLocalPort(), "postgres"), "GenuinePostgres");
        }
    }

    @Test
    void aRoleThatIsNoSuperuserIsToldOnce() {
        blocked(target("app", "app", server.port(), "postgres"), "Superuser");
    }

    @Test
    void ignoreChecksumFailure() {
        server.execute("ALTER SYSTEM SET ignore_checksum_failure = on", "SELECT pg_reload_conf()");
        try {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> blocked(superuser(), "IgnoreChecksumFailure"));
        } finally {
            server.execute("ALTER SYSTEM RESET ignore_checksum_failure", "SELECT pg_reload_conf()");
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> findings(superuser()).isEmpty());
    }

    @Test
    void aLineThatWouldKeepTheServerFromItsNextStart() throws IOException {
        java.nio.file.Path conf = server.dataDirectory().resolve("postgresql.conf");
        String before = Files.readString(conf);
        Files.writeString(conf, "\nwork_mem = 'plenty'\n", StandardOpenOption.APPEND);
        try {
            assertThat(findings(superuser())).singleElement().satisfies(f -> {
                assertThat(f.check()).isEqualTo("ConfigLoads");
                assertThat(f.words()).contains("work_mem", conf.toString());
            });
        } finally {
            Files.writeString(conf, before);
        }
    }

    @Test
    void anAutoConfThatIsNoPlainFile() throws IOException {
        java.nio.file.Path file = server.dataDirectory().resolve("postgresql.auto.conf");
        java.nio.file.Path elsewhere = server.dataDirectory().resolve("elsewhere.conf");
        Files.move(file, elsewhere);
        try {
            blocked(superuser(), "AutoConfIsPlain");
            Files.createSymbolicLink(file, java.nio.file.Path.of("elsewhere.conf"));
            blocked(superuser(), "AutoConfIsPlain");
        } finally {
            Files.move(elsewhere, file, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(findings(superuser())).isEmpty();
    }

    @Test
    void aRunningBaseBackup() throws SQLException {
        boolean old = Integer.parseInt(server.query("SHOW server_version_num")) < 150_000;
        String function = old ? "pg_start_backup('nightly', true, false)" : "pg_backup_start('nightly', true)";
        try (Connection backup = server.connect();
                Statement statement = backup.createStatement()) {
            statement.execute("SET application_name = 'nightly'");
            statement.execute("SELECT " + function);
            assertThat(findings(superuser())).singleElement().satisfies(f -> {
                assertThat(f).isInstanceOf(Finding.Wait.class);
                assertThat(f.check()).isEqualTo("BackupRunning");
                assertThat(f.words()).contains("nightly");
            });
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> findings(superuser()).isEmpty());
    }

    @Test
    void standbys() {
        try (LocalPostgres primary = LocalPostgres.builder().password(SECRET).start();
                LocalPostgres standby = primary.standby()) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () -> blocked(target("postgres", SECRET, primary.port(), "postgres"), "ReplicasKnown"));
            blocked(target("postgres", SECRET, standby.port(), "postgres"), "NotInRecovery");
        }
    }

    @Test
    void aServerWithoutAFreeConnection() throws SQLException {
        try (LocalPostgres full = LocalPostgres.builder()
                        .password(SECRET)
                        .set("max_connections", "3")
                        .set("superuser_reserved_connections", "0")
                        .set("max_wal_senders", "0")
                        .start();
                Connection one = full.connect();
                Connection two = full.connect();
                Connection three = full.connect()) {
            assertThat(List.of(one, two, three)).allMatch(c -> !closed(c));
            assertThat(findings(new ServerTarget(
                            new ServerAddress(full.address(), full.port(), "postgres"),
                            new Credentials("postgres", SECRET),
                            Tls.of(Tls.Mode.PREFER),
                            Timeouts.DEFAULT)))
                    .extracting(Finding::check)
                    .containsExactly("Reachable");
        }
    }

    private static boolean closed(Connection c) {
        try {
            return c.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }

    private static void answer(ServerSocket http) {
        while (!http.isClosed()) {
            try (java.net.Socket client = http.accept()) {
                client.getOutputStream()
                        .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void blocked(ServerTarget target, String check) {
        assertThat(findings(target)).singleElement().satisfies(f -> {
            assertThat(f).as(f.words()).isInstanceOf(Finding.Block.class);
            assertThat(f.check()).isEqualTo(check);
        });
    }

    /** All that the gate says, as at rest: the server's chain first, and the other only if that passes. */
    private List<Finding> findings(ServerTarget target) {
        Observation o = Observations.atRest().server(ask(target)).build();
        List<Finding> server = gate.askServer(o);
        return server.isEmpty() ? gate.askOffline(o) : server;
    }

    private Fact<ServerFacts> ask(ServerTarget target) {
        try {
            return Fact.known(postgres.observe(target));
        } catch (ServerException e) {
            String reason = Arrays.stream(e.kind().name().split("_"))
                    .map(w -> w.charAt(0) + w.substring(1).toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining());
            return Fact.missing(reason, String.valueOf(e.getMessage()), "see the server's log");
        }
    }

    private static ServerTarget superuser() {
        return target("postgres", SECRET, server.port(), "postgres");
    }

    private static ServerTarget target(String user, String password, int port, String database) {
        return new ServerTarget(
                new ServerAddress(server.address(), port, database),
                new Credentials(user, password),
                Tls.of(Tls.Mode.PREFER),
                Timeouts.DEFAULT);
    }
}

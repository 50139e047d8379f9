package dev.datachecksums.operator.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every way in which a server cannot be asked, each made by a real server or a real port. */
class ConnectIT {
    private static final String PASSWORD = "correct horse";

    private static LocalPostgres server;

    private final PostgresServer postgres = new JdbcPostgresServer(Clock.systemUTC());

    @BeforeAll
    static void start() {
        server = LocalPostgres.builder()
                .password(PASSWORD)
                .set("max_connections", "6")
                .set("superuser_reserved_connections", "1")
                .set("max_wal_senders", "0")
                .set("wal_level", "minimal")
                .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private ServerException failure(ServerTarget target) {
        ServerException failure = catchThrowableOfType(ServerException.class, () -> postgres.observe(target));
        assertThat(failure).isNotNull();
        assertThat(failure.getMessage())
                .doesNotContain("\n")
                .contains(Integer.toString(target.address().port()));
        return failure;
    }

    private static ServerTarget as(String user, String password, String database) {
        return new ServerTarget(
                new ServerAddress("127.0.0.1", server.port(), database),
                new Credentials(user, password),
                Tls.of(Tls.Mode.PREFER),
                Targets.AMPLE);
    }

    @Test
    void logsInWithTheRightPassword() throws ServerException {
        assertThat(postgres.observe(Targets.of(server)).superuser()).isTrue();
    }

    @Test
    void reachesAnAddressOfIpv6() {
        assertThat(new ServerAddress("::1", 5432, "postgres").hostForDriver()).isEqualTo("[::1]");
        try (LocalPostgres six = LocalPostgres.builder().listenAddress("::1").start()) {
            ServerTarget target = Targets.at("::1", six.port(), Tls.Mode.PREFER);
            assertThat(catchThrowable(() -> postgres.observe(target))).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Tls.Mode.class,
            names = {"DISABLE", "PREFER", "REQUIRE"})
    void aClosedPortIsUnreachable(Tls.Mode mode) throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertThat(failure(Targets.at("127.0.0.1", port, mode)).kind()).isEqualTo(ServerProblem.UNREACHABLE);
    }

    @Test
    void anUnknownNameIsUnreachable() {
        ServerException failure = failure(Targets.at("no-such-host.invalid", 5432, Tls.Mode.PREFER));
        assertThat(failure.kind()).isEqualTo(ServerProblem.UNREACHABLE);
        assertThat(failure).hasMessageContaining("no-such-host.invalid");
    }

    @ParameterizedTest
    @EnumSource(
            value = Tls.Mode.class,
            names = {"DISABLE", "PREFER", "REQUIRE"})
    void aSilentPortTimesOut(Tls.Mode mode) throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assertThat(failure(Targets.at("127.0.0.1", silent.getLocalPort(), mode))
                            .kind())
                    .isEqualTo(ServerProblem.TIMED_OUT);
        }
    }

    /** What answers there, and whether it waits for us to speak first. */
    private enum Foreign {
        WEB("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"),
        REDIS("-ERR Protocol error\r\n"),
        SSH("SSH-2.0-OpenSSH_9.2p1\r\n");

        private final String greeting;

        Foreign(String greeting) {
            this.greeting = greeting;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "WEB, DISABLE",
        "WEB, PREFER",
        "WEB, REQUIRE",
        "REDIS, DISABLE",
        "REDIS, PREFER",
        "REDIS, VERIFY_FULL",
        "SSH, DISABLE"
    })
    void anotherProtocolIsNotPostgres(Foreign foreign, Tls.Mode mode) throws Exception {
        CompletableFuture<Void> served;
        try (ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            served = CompletableFuture.runAsync(() -> {
                while (!socket.isClosed()) {
                    try (Socket client = socket.accept()) {
                        client.getInputStream().readNBytes(8);
                        client.getOutputStream().write(foreign.greeting.getBytes(StandardCharsets.US_ASCII));
                        client.shutdownOutput();
                        client.getInputStream().readAllBytes();
                    } catch (IOException clientGone) {
                        // The driver closes it when it has read enough; the next one is served.
                    }
                }
            });
            assertThat(failure(Targets.at("127.0.0.1", socket.getLocalPort(), mode))
                            .kind())
                    .isEqualTo(ServerProblem.NOT_POSTGRES);
        }
        served.get(10, TimeUnit.SECONDS);
    }

    @Test
    void aWrongPasswordIsRefusedAndNotRepeated() {
        ServerException failure = failure(as("postgres", "battery staple", "postgres"));
        assertThat(failure.kind()).isEqualTo(ServerProblem.AUTHENTICATION_FAILED);
        assertThat(failure.sqlState()).hasValue("28P01");
        assertThat(failure.getMessage()).doesNotContain("battery").contains("postgres");
        assertThat(as("postgres", "battery staple", "postgres").toString()).doesNotContain("battery");
    }

    @Test
    void anUnknownUserIsRefused() {
        assertThat(failure(as("nobody_here", "x", "postgres")).kind()).isEqualTo(ServerProblem.AUTHENTICATION_FAILED);
    }

    @Test
    void anEmptyPasswordIsRefused() {
        assertThat(failure(as("postgres", "", "postgres")).kind()).isEqualTo(ServerProblem.AUTHENTICATION_FAILED);
    }

    @Test
    void anUnknownDatabaseIsNamed() {
        ServerException failure = failure(as("postgres", PASSWORD, "no/such?db"));
        assertThat(failure.kind()).isEqualTo(ServerProblem.NO_SUCH_DATABASE);
        assertThat(failure).hasMessageContaining("no/such?db");
    }

    /** A slot is free a moment after its session was closed, not at once. */
    private static void take(List<Connection> held) {
        Awaitility.await().ignoreExceptions().atMost(Duration.ofSeconds(20)).until(() -> held.add(server.connect()));
    }

    @Test
    void anOrdinaryRoleFindsNoFreeSlotBeforeASuperuser() throws SQLException, ServerException {
        server.execute("CREATE ROLE plain LOGIN PASSWORD 'p'");
        List<Connection> held = new ArrayList<>();
        try {
            for (int i = 0; i < 5; i++) {
                take(held);
            }
            assertThat(failure(as("plain", "p", "postgres")).kind()).isEqualTo(ServerProblem.TOO_MANY_CONNECTIONS);
            Awaitility.await()
                    .ignoreExceptions()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> postgres.observe(Targets.of(server)).superuser());
            take(held);
            assertThat(failure(Targets.of(server)).kind()).isEqualTo(ServerProblem.TOO_MANY_CONNECTIONS);
        } finally {
            for (Connection connection : held) {
                connection.close();
            }
            Awaitility.await()
                    .ignoreExceptions()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> "0"
                            .equals(server.query("SELECT count(*) - 1 FROM pg_stat_activity"
                                    + " WHERE backend_type = 'client backend'")));
            server.execute("DROP ROLE plain");
        }
    }

    @Test
    void aServerThatRecoversIsStartingUp() throws IOException {
        try (LocalPostgres recovering =
                LocalPostgres.builder().set("hot_standby", "off").create()) {
            // It waits for WAL for ever, and with hot_standby off it takes no connections meanwhile.
            Files.createFile(recovering.dataDirectory().resolve("standby.signal"));
            recovering.account().own(recovering.dataDirectory());
            recovering.spawn();
            ServerTarget target = Targets.of(recovering);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(failure(target).kind()).isEqualTo(ServerProblem.STARTING_UP));
        }
    }

    @Test
    void aDatabaseOfPlainTextIsNoUrl() {
        assertThat(catchThrowable(() -> new ServerAddress("h/postgres?sslmode=disable&x", 5432, "postgres")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

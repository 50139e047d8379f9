package dev.datachecksums.operator.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.datachecksums.operator.postgres.LocalPostgres.StopMode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The interlock on real servers; A1 to A9 are the attacks that it was tried with. */
class InterlockIT {
    private static final Interlock INTERLOCK = new Interlock("datachecksums-operator default/orders");

    private final PostgresServer postgres = new JdbcPostgresServer(Clock.systemUTC());
    private LocalPostgres server;
    private Path autoConf;

    @BeforeEach
    void start() {
        server = LocalPostgres.builder().start();
        autoConf = server.dataDirectory().resolve("postgresql.auto.conf");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HeldSession hold() throws ServerException {
        return postgres.hold(Targets.of(server));
    }

    /** A1. */
    @Test
    void noServerStartsWhileInterlocked() throws ServerException, IOException {
        String before = Files.readString(autoConf);
        try (HeldSession session = hold()) {
            session.writeInterlock(INTERLOCK);
            assertThat(session.interlockPresent()).isTrue();
            assertThat(postgres.observe(Targets.of(server)).interlockPresent().value())
                    .hasValue(true);
            assertThat(postgres.observe(Targets.of(server)).configErrors().value())
                    .hasValue(List.of());
        }
        assertThat(Files.readString(autoConf)).isEqualTo(before + INTERLOCK.line() + "\n");
        server.stop(StopMode.FAST);

        ToolResult refused = server.run("postgres", "-D", server.dataDirectory().toString());
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.output()).contains(Interlock.PARAMETER);
        assertThat(server.pidFile()).doesNotExist();
        assertThat(server.run(
                                "postgres",
                                "--single",
                                "-D",
                                server.dataDirectory().toString())
                        .exitCode())
                .isEqualTo(1);
        // The tool itself does not mind.
        server.run(
                        "pg_checksums",
                        "--enable",
                        "--no-sync",
                        "-D",
                        server.dataDirectory().toString())
                .orThrow();
        Files.writeString(autoConf, before);
        server.start();
        assertThat(server.query("SHOW data_checksums")).isEqualTo("on");
    }

    @Test
    void leavesNothingBehindAndWritesOnce() throws ServerException, IOException {
        server.execute("ALTER SYSTEM SET work_mem = '7MB'");
        String before = Files.readString(autoConf);
        String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(autoConf));
        try (HeldSession session = hold()) {
            session.liftInterlock();
            assertThat(Files.readString(autoConf)).isEqualTo(before);
            session.writeInterlock(INTERLOCK);
            session.writeInterlock(INTERLOCK);
            assertThat(Files.readString(autoConf)).isEqualTo(before + INTERLOCK.line() + "\n");
            session.liftInterlock();
            assertThat(session.interlockPresent()).isFalse();
        }
        assertThat(Files.readString(autoConf)).isEqualTo(before);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(autoConf)))
                .isEqualTo(permissions);
        assertThat(Files.getAttribute(autoConf, "unix:uid")).isEqualTo(server.uid());
        try (var names = Files.list(server.dataDirectory())) {
            assertThat(names.map(path -> path.getFileName().toString())
                            .filter(name -> name.startsWith("postgresql.auto.conf")))
                    .containsExactly("postgresql.auto.conf");
        }
    }

    /** A2. */
    @Test
    void refusesAFileThatAServerWouldSkip() throws Exception {
        for (String destination : new String[] {"/dev/null", "nowhere", "postgresql.auto.conf.real"}) {
            Path real = server.dataDirectory().resolve("postgresql.auto.conf.real");
            if (!Files.exists(real)) {
                Files.move(autoConf, real);
            }
            Files.deleteIfExists(autoConf);
            Files.createSymbolicLink(autoConf, Path.of(destination));
            try (HeldSession session = hold()) {
                ServerException failure =
                        catchThrowableOfType(ServerException.class, () -> session.writeInterlock(INTERLOCK));
                assertThat(failure.kind()).isEqualTo(ServerProblem.PROGRAM_FAILED);
                assertThat(failure).hasMessageContaining("plain file");
                assertThat(session.isAlive()).isTrue();
            }
            assertThat(Files.readSymbolicLink(autoConf)).hasToString(destination);
            assertThat(Files.readString(real)).doesNotContain(Interlock.PARAMETER);
        }
    }

    /** A2. */
    @Test
    void refusesAFileThatItsServerCannotRead() throws Exception {
        Files.setPosixFilePermissions(autoConf, PosixFilePermissions.fromString("-w-------"));
        try (HeldSession session = hold()) {
            ServerException failure =
                    catchThrowableOfType(ServerException.class, () -> session.writeInterlock(INTERLOCK));
            assertThat(failure.kind()).isEqualTo(ServerProblem.PROGRAM_FAILED);
            assertThat(failure).hasMessageContaining("cannot read");
        }
    }

    /** A3. */
    @Test
    void endsALastLineThatHasNoNewline() throws ServerException, IOException {
        Files.writeString(autoConf, "work_mem = '7MB'");
        try (HeldSession session = hold()) {
            session.writeInterlock(INTERLOCK);
            assertThat(Files.readString(autoConf)).isEqualTo("work_mem = '7MB'\n" + INTERLOCK.line() + "\n");
            session.liftInterlock();
        }
        assertThat(Files.readString(autoConf)).isEqualTo("work_mem = '7MB'\n");
        server.restart();
        assertThat(server.query("SHOW work_mem")).isEqualTo("7MB");
    }

    @Test
    void makesAFileThatIsNotThereAndKeepsBytesThatAreNoText() throws ServerException, IOException {
        Files.delete(autoConf);
        try (HeldSession session = hold()) {
            session.writeInterlock(INTERLOCK);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(autoConf)))
                    .isEqualTo("rw-------");
            byte[] latin = "# caf\u00e9 '\\ $HOME `id`\n".getBytes(StandardCharsets.ISO_8859_1);
            byte[] line = (INTERLOCK.line() + "\n").getBytes(StandardCharsets.US_ASCII);
            byte[] after = "work_mem = '8MB'".getBytes(StandardCharsets.US_ASCII);
            Files.write(autoConf, concat(latin, line, after));
            session.liftInterlock();
            // Not the last line: it stays as a comment, and a crash cannot have left half of anything.
            byte[] comment = line.clone();
            comment[0] = '#';
            assertThat(Files.readAllBytes(autoConf)).isEqualTo(concat(latin, comment, after));
            assertThat(session.interlockPresent()).isFalse();
        }
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @Test
    void isNotWrittenWhereTheServerCouldNotStartAgainButIsLiftedThere() throws ServerException, IOException {
        String before = Files.readString(autoConf);
        try (HeldSession session = hold()) {
            for (String broken : new String[] {"work_mem = 'many'\n", "this is no setting\n"}) {
                Files.writeString(autoConf, before + broken);
                ServerException failure =
                        catchThrowableOfType(ServerException.class, () -> session.writeInterlock(INTERLOCK));
                assertThat(failure.kind()).isEqualTo(ServerProblem.CONFIGURATION_BROKEN);
                assertThat(failure).hasMessageContaining(autoConf + ":3");
                assertThat(Files.readString(autoConf)).isEqualTo(before + broken);

                Files.writeString(autoConf, before + broken + INTERLOCK.line() + "\n");
                session.liftInterlock();
                assertThat(Files.readString(autoConf)).isEqualTo(before + broken);
            }
        }
    }

    /** A4, both ways: neither is our line lost, nor anything that was set meanwhile. */
    @Test
    void survivesAStormOfAlterSystem() throws Exception {
        AtomicBoolean storming = new AtomicBoolean(true);
        AtomicInteger storms = new AtomicInteger();
        AtomicInteger undone = new AtomicInteger();
        CompletableFuture<Void> storm = CompletableFuture.runAsync(() -> {
            try (Connection connection = server.connect();
                    Statement statement = connection.createStatement()) {
                while (storming.get()) {
                    int value = 100 + storms.incrementAndGet() % 500;
                    statement.execute("ALTER SYSTEM SET work_mem = '" + value + "MB'");
                    if (!Files.readString(autoConf).contains("work_mem = '" + value + "MB'")) {
                        undone.incrementAndGet();
                    }
                }
            } catch (SQLException | IOException e) {
                throw new IllegalStateException(e);
            }
        });
        int lostLines = 0;
        try (HeldSession session = hold()) {
            for (int round = 0; round < 40; round++) {
                session.writeInterlock(INTERLOCK);
                int seen = storms.get();
                // Long enough for whatever was under way to end.
                Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> storms.get() >= seen + 3);
                if (!session.interlockPresent()) {
                    lostLines++;
                }
                session.liftInterlock();
            }
            session.writeInterlock(INTERLOCK);
            storming.set(false);
            storm.get(30, TimeUnit.SECONDS);
            assertThat(session.interlockPresent()).isTrue();
            session.liftInterlock();
        }
        assertThat(lostLines).isZero();
        assertThat(storms.get()).isGreaterThan(100);
        assertThat(undone.get()).isZero();
    }

    /** A5. */
    @Test
    void staysUnderOthersAlterSystem() throws ServerException {
        try (HeldSession session = hold()) {
            session.writeInterlock(INTERLOCK);
            server.execute("ALTER SYSTEM SET work_mem = '9MB'", "ALTER SYSTEM RESET work_mem");
            assertThat(session.interlockPresent()).isTrue();
            session.liftInterlock();
            assertThat(session.interlockPresent()).isFalse();
        }
    }

    /** A6. */
    @Test
    void aChangeThatWaitedTakesEffectOnceLifted() throws ServerException {
        try (HeldSession session = hold()) {
            session.writeInterlock(INTERLOCK);
            server.execute("ALTER SYSTEM SET work_mem = '9MB'", "SELECT pg_reload_conf()");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> server.log().contains("contains errors"));
            assertThat(server.query("SHOW work_mem")).isEqualTo("4MB");
            session.liftInterlock();
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> "9MB".equals(server.query("SHOW work_mem")));
        }
    }

    /** A9. */
    @Test
    void writesAFileThatEvenItsOwnerMayNotWrite() throws ServerException, IOException {
        Files.setPosixFilePermissions(autoConf, PosixFilePermissions.fromString("r--------"));
        String before = Files.readString(autoConf);
        try (HeldSession session = hold()) {
            session.writeInterlock(INTERLOCK);
            assertThat(Files.readString(autoConf)).isEqualTo(before + INTERLOCK.line() + "\n");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(autoConf)))
                    .isEqualTo("r--------");
            session.liftInterlock();
        }
        assertThat(Files.readString(autoConf)).isEqualTo(before);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(autoConf)))
                .isEqualTo("r--------");
    }
}

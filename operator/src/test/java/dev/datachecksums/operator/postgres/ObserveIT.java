package dev.datachecksums.operator.postgres;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.postgres.ServerFacts.Database;
import dev.datachecksums.operator.postgres.ServerFacts.OsUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ObserveIT {
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    private static LocalPostgres server;

    private final PostgresServer postgres = new JdbcPostgresServer(Clock.fixed(NOW, ZoneOffset.UTC));

    @BeforeAll
    static void start() {
        server = LocalPostgres.builder().set("max_worker_processes", "11").start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private ServerFacts observe() throws ServerException {
        return postgres.observe(Targets.of(server));
    }

    @Test
    void tellsWhatTheServerIs() throws ServerException {
        ServerFacts facts = observe();

        assertThat(facts.observedAt()).isEqualTo(NOW);
        assertThat(facts.serverVersionNum()).hasToString(server.query("SHOW server_version_num"));
        assertThat(facts.majorVersion()).isEqualTo(facts.serverVersionNum() / 10_000);
        assertThat(facts.serverVersion())
                .isEqualTo(server.query("SELECT split_part(version(), ' ', 2)"))
                .doesNotContain(" ");
        assertThat(facts.fullVersion()).isEqualTo(server.query("SELECT version()"));
        assertThat(facts.checksums()).isEqualTo(ChecksumState.OFF);
        assertThat(facts.systemIdentifier().value()).hasValue(server.controlData("Database system identifier"));
        assertThat(facts.inRecovery()).isFalse();
        assertThat(facts.superuser()).isTrue();
        assertThat(facts.postmasterStartTime())
                .isEqualTo(Instant.parse(server.query("SELECT to_char(pg_postmaster_start_time() AT TIME ZONE 'UTC', "
                        + "'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")));
        assertThat(facts.maxWorkerProcesses()).isEqualTo(11);
        assertThat(facts.ignoreChecksumFailure()).isFalse();
        assertThat(facts.fork()).isNull();
        assertThat(facts.pooler()).isNull();
    }

    @Test
    void tellsWhereTheServerLivesAndAsWhom() throws ServerException {
        ServerFacts facts = observe();

        assertThat(facts.dataDirectory().value())
                .hasValue(server.dataDirectory().toString());
        assertThat(facts.configFile().value())
                .hasValue(server.dataDirectory().resolve("postgresql.conf").toString());
        assertThat(facts.binDir().value())
                .hasValueSatisfying(
                        dir -> assertThat(Path.of(dir, "pg_checksums")).isExecutable());
        assertThat(facts.serverAddress().value()).hasValue("127.0.0.1");
        assertThat(facts.serverPort().value()).hasValue(server.port());
        assertThat(facts.osUser().value()).hasValue(new OsUser(server.uid(), server.gid()));
        assertThat(facts.seLinuxLevel().value().isPresent())
                .isEqualTo(Files.exists(Path.of("/sys/fs/selinux/enforce")));
    }

    @Test
    void listsDatabasesAlsoInvalidOnesAndTheirSizes() throws ServerException {
        server.execute("CREATE DATABASE broken", "CREATE DATABASE closed ALLOW_CONNECTIONS false CONNECTION LIMIT 3");
        server.execute("UPDATE pg_database SET datconnlimit = -2 WHERE datname = 'broken'");
        try {
            ServerFacts facts = observe();
            List<Database> databases = facts.databases().value().orElseThrow();

            assertThat(databases)
                    .extracting(Database::name)
                    .containsExactly("broken", "closed", "postgres", "template0", "template1");
            assertThat(databases)
                    .filteredOn(Database::invalid)
                    .extracting(Database::name)
                    .containsExactly("broken");
            assertThat(databases.get(1).connectionLimit()).isEqualTo(3);
            assertThat(databases.get(1).allowsConnections()).isFalse();
            Database postgresDatabase = databases.get(2);
            assertThat(postgresDatabase.oid())
                    .hasToString(server.query("SELECT oid FROM pg_database WHERE datname = 'postgres'"));
            assertThat(postgresDatabase.sizeBytes()).isPositive();
            long databaseBytes = databases.stream()
                    .mapToLong(database -> requireNonNull(database.sizeBytes()))
                    .sum();
            assertThat(facts.totalBytes().value().orElseThrow() - databaseBytes)
                    .hasToString(server.query("SELECT pg_tablespace_size('pg_global')"));
        } finally {
            server.execute("DROP DATABASE broken", "DROP DATABASE closed");
        }
    }

    @Test
    void listsTablespaces() throws ServerException, IOException {
        Path location = Files.createDirectory(server.home().resolve("space"));
        server.account().own(location);
        server.execute("CREATE TABLESPACE fast LOCATION '" + location + "'");
        try {
            assertThat(observe().tablespaces().value())
                    .hasValue(List.of(new ServerFacts.Tablespace("fast", location.toString())));
        } finally {
            server.execute("DROP TABLESPACE fast");
        }
    }

    @Test
    void seesASessionThatBeganABackupUntilItEnds() throws ServerException, SQLException {
        assertThat(observe().runningBackups().value()).hasValue(List.of());
        boolean renamed = observe().majorVersion() >= 15;
        try (Connection backup = server.connect();
                Statement statement = backup.createStatement()) {
            statement.execute("SET application_name = 'nightly'");
            statement.execute(
                    renamed ? "SELECT pg_backup_start('b', true)" : "SELECT pg_start_backup('b', true, false)");
            assertThat(observe().runningBackups().value().orElseThrow())
                    .singleElement()
                    .satisfies(seen -> {
                        assertThat(seen.applicationName()).isEqualTo("nightly");
                        assertThat(seen.pid()).isNotNull();
                    });
            statement.execute(renamed ? "SELECT pg_backup_stop(false)" : "SELECT pg_stop_backup(false, false)");
            assertThat(observe().runningBackups().value()).hasValue(List.of());
        }
    }

    @Test
    void knowsPgBackRestBesideOtherStatements() throws ServerException, SQLException {
        try (Connection backup = server.connect();
                Statement statement = backup.createStatement()) {
            statement.execute("SET application_name = 'pgBackRest [backup]'");
            statement.execute("SELECT 1");
            assertThat(observe().runningBackups().value().orElseThrow())
                    .extracting(ServerFacts.RunningBackup::applicationName)
                    .containsExactly("pgBackRest [backup]");
        }
    }

    @Test
    void tellsConfigurationThatTheNextStartWouldRefuseButNotWhatWaitsForIt() throws ServerException, IOException {
        assertThat(observe().configErrors().value()).hasValue(List.of());
        Path file = server.dataDirectory().resolve("postgresql.conf");
        String before = Files.readString(file);
        try {
            server.configure(Map.of("max_connections", "57", "work_mem", "many"));
            assertThat(observe().configErrors().value().orElseThrow())
                    .singleElement()
                    .satisfies(error -> {
                        assertThat(error.name()).isEqualTo("work_mem");
                        assertThat(error.file()).isEqualTo(file.toString());
                        assertThat(error.line()).isPositive();
                    });
        } finally {
            Files.writeString(file, before);
        }
        assertThat(observe().interlockPresent().value()).hasValue(false);
    }

    @Test
    void tellsAnOrdinaryRoleWhatItMayKnowAndWhyNotMore() throws ServerException {
        server.execute("CREATE ROLE plain LOGIN PASSWORD 'x'");
        try {
            int logged = server.log().length();
            ServerFacts facts = postgres.observe(Targets.of(server, new Credentials("plain", "x")));

            assertThat(facts.superuser()).isFalse();
            assertThat(facts.serverVersionNum()).isEqualTo(observe().serverVersionNum());
            assertThat(facts.checksums()).isEqualTo(ChecksumState.OFF);
            assertThat(facts.inRecovery()).isFalse();
            assertThat(facts.dataDirectory().whyAbsent())
                    .hasValueSatisfying(why -> assertThat(why).contains("pg_read_all_settings"));
            assertThat(facts.osUser().whyAbsent()).hasValue(Asking.NEEDS_SUPERUSER);
            assertThat(facts.binDir().whyAbsent()).hasValue(Asking.NEEDS_SUPERUSER);
            assertThat(facts.interlockPresent().whyAbsent()).hasValue(Asking.NEEDS_SUPERUSER);
            assertThat(facts.runningBackups().whyAbsent()).isPresent();
            assertThat(facts.databases().value().orElseThrow())
                    .extracting(Database::name)
                    .contains("postgres");
            assertThat(server.log().substring(logged)).doesNotContain("ERROR");
        } finally {
            server.execute("DROP ROLE plain");
        }
    }

    @Test
    void isNotDeceivedBySearchPath() throws ServerException {
        server.execute(
                "CREATE SCHEMA trap",
                "CREATE FUNCTION trap.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT true'",
                "CREATE TABLE trap.pg_database (datname name, oid oid, datconnlimit int, datallowconn bool)",
                "ALTER DATABASE postgres SET search_path = trap, pg_catalog");
        try {
            assertThat(observe().inRecovery()).isFalse();
            assertThat(observe().databases().value().orElseThrow()).isNotEmpty();
        } finally {
            server.execute("ALTER DATABASE postgres RESET search_path", "DROP SCHEMA trap CASCADE");
        }
    }

    @Test
    void seesIgnoredChecksumFailures() throws ServerException {
        server.execute("ALTER DATABASE postgres SET ignore_checksum_failure = on");
        try {
            assertThat(observe().ignoreChecksumFailure()).isTrue();
        } finally {
            server.execute("ALTER DATABASE postgres RESET ignore_checksum_failure");
        }
    }

    @Test
    void seesABaseBackupThatStreams() throws Exception {
        Path copy = server.home().resolve("copy");
        // Throttled, so that it lasts until it was seen; ended by the end of the process.
        Process backup = server.account()
                .spawn(
                        server.bin(),
                        server.home().resolve("backup.log"),
                        "pg_basebackup",
                        "-D",
                        copy.toString(),
                        "-h",
                        server.address(),
                        "-p",
                        Integer.toString(server.port()),
                        "-U",
                        "postgres",
                        "--checkpoint=fast",
                        "--no-sync",
                        "--max-rate=200k");
        try {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(
                                    observe().runningBackups().value().orElseThrow())
                            .anySatisfy(seen -> {
                                assertThat(seen.applicationName()).isEqualTo("pg_basebackup");
                                assertThat(seen.description()).contains("base backup");
                            }));
        } finally {
            // Its server process would sleep on by the throttle.
            server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'walsender'");
            OsAccount.waitFor(backup, Duration.ofSeconds(20));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () -> assertThat(observe().runningBackups().value()).hasValue(List.of()));
        }
    }
}

package dev.datachecksums.operator.postgres;

import dev.datachecksums.operator.postgres.Asking.Unanswered;
import dev.datachecksums.operator.postgres.ServerFacts.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks one session for everything in {@link ServerFacts}. What any role may ask is one query and must succeed; the rest is asked one
 * by one, and a refusal costs that fact only.
 */
final class FactsReader {
    private static final String NEEDS_SETTINGS = "only a superuser or a member of pg_read_all_settings may ask for it";
    private static final String BY_SOCKET = "the connection came by a Unix socket";

    private static final String BASE = """
        SELECT current_setting('server_version_num')::int AS version_num,
               split_part(current_setting('server_version'), ' ', 1) AS version,
               current_setting('data_checksums') AS checksums,
               pg_is_in_recovery() AS in_recovery,
               coalesce((SELECT rolsuper FROM pg_roles WHERE rolname = current_user), false) AS superuser,
               pg_postmaster_start_time() AS started,
               host(inet_server_addr()) AS address,
               inet_server_port() AS port,
               current_setting('ignore_checksum_failure') = 'on' AS ignore_failures,
               current_setting('max_worker_processes')::int AS worker_processes,
               to_regprocedure('pg_catalog.pg_enable_data_checksums(integer,integer)') IS NOT NULL
                 AND to_regprocedure('pg_catalog.pg_disable_data_checksums()') IS NOT NULL AS online,
               EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = '%s') AS standby_slot,
               (SELECT setting FROM pg_settings WHERE name = 'data_directory') AS data_directory,
               (SELECT setting FROM pg_settings WHERE name = 'config_file') AS config_file\
        """.formatted(ServerFacts.STANDBY_SLOT);

    private record Base(
            int versionNum,
            String version,
            String checksums,
            boolean inRecovery,
            boolean superuser,
            Instant started,
            @Nullable String address,
            @Nullable Integer port,
            boolean ignoreFailures,
            int workerProcesses,
            boolean online,
            boolean standbySlot,
            @Nullable String dataDirectory,
            @Nullable String configFile) {
        static Base read(ResultSet row) throws SQLException {
            return new Base(
                    row.getInt("version_num"),
                    row.getString("version"),
                    row.getString("checksums"),
                    row.getBoolean("in_recovery"),
                    row.getBoolean("superuser"),
                    Objects.requireNonNull(Asking.instant(row, "started")),
                    row.getString("address"),
                    row.getObject("port", Integer.class),
                    row.getBoolean("ignore_failures"),
                    row.getInt("worker_processes"),
                    row.getBoolean("online"),
                    row.getBoolean("standby_slot"),
                    row.getString("data_directory"),
                    row.getString("config_file"));
        }
    }

    private final Session session;
    private final Clock clock;

    FactsReader(Session session, Clock clock) {
        this.session = session;
        this.clock = clock;
    }

    ServerFacts read() throws ServerException {
        try {
            String fullVersion = session.one("SELECT version()", row -> row.getString(1));
            Optional<String> fork = ForkDetector.byVersion(fullVersion);
            if (fork.isPresent()) {
                return nothingOf(fork.get(), fullVersion);
            }
            Optional<String> pooler = PoolerDetector.evidence(session);
            if (pooler.isPresent()) {
                return behindPooler(pooler.get(), fullVersion);
            }
            session.prepare();
            return genuine(fullVersion);
        } catch (SQLException e) {
            throw Problems.asking(session.target(), e);
        }
    }

    private ServerFacts genuine(String fullVersion) throws SQLException {
        Base base = session.one(BASE, Base::read);
        Asking asking = new Asking(session, base.superuser());
        Answer<List<Database>> databases = asking.ask(() -> StorageFacts.databases(asking));
        return new ServerFacts(
                clock.instant(),
                base.versionNum(),
                base.version(),
                fullVersion,
                ChecksumState.of(base.checksums()),
                asking.ask(this::systemIdentifier),
                base.inRecovery(),
                base.superuser(),
                base.started(),
                Asking.answered(base.dataDirectory(), NEEDS_SETTINGS),
                Asking.answered(base.configFile(), NEEDS_SETTINGS),
                asking.askAsSuperuser(() -> HostFacts.binDir(session)),
                Asking.answered(base.address(), BY_SOCKET),
                Asking.answered(base.port(), BY_SOCKET),
                asking.askAsSuperuser(() -> HostFacts.osUser(session)),
                asking.askAsSuperuser(() -> HostFacts.seLinuxLevel(session)),
                databases,
                asking.ask(() -> totalBytes(databases)),
                asking.ask(() -> StorageFacts.tablespaces(session)),
                asking.ask(() -> BackupDetector.find(session, base.versionNum())),
                base.ignoreFailures(),
                base.online(),
                asking.askAsSuperuser(() -> ConfigFacts.interlockPresent(session)),
                asking.askAsSuperuser(() -> ConfigFacts.errors(session)),
                base.workerProcesses(),
                asking.ask(this::streamingStandbys),
                ForkDetector.bySettings(session).orElse(null),
                null,
                asking.ask(() -> StorageFacts.checksumFailures(session)),
                asking.askAsSuperuser(() -> HostFacts.autoConf(session)),
                base.standbySlot(),
                asking.askAsSuperuser(() -> HostFacts.copyDirectory(session)));
    }

    private long totalBytes(Answer<List<Database>> databases) throws SQLException, Unanswered {
        if (databases instanceof Answer.Absent<List<Database>> missing) {
            throw new Unanswered(missing.reason());
        }
        return StorageFacts.totalBytes(session, databases.value().orElseThrow());
    }

    private String systemIdentifier() throws SQLException {
        return session.one("SELECT system_identifier FROM pg_control_system()", row -> row.getString(1));
    }

    /** A walsender of a logical slot streams too, but is no standby. */
    private int streamingStandbys() throws SQLException {
        return session.one("""
            SELECT count(*) FROM pg_stat_replication r WHERE state = 'streaming' AND NOT EXISTS (
              SELECT FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical')\
            """, row -> row.getInt(1));
    }

    private ServerFacts nothingOf(String fork, String fullVersion) {
        Base unknown = new Base(0, "", "", false, false, Instant.EPOCH, null, null, false, 0, false, false, null, null);
        return scant(unknown, fullVersion, fork, null, "not asked of " + fork);
    }

    private ServerFacts behindPooler(String evidence, String fullVersion) throws SQLException {
        Base base = session.inOneTransaction(() -> session.one(BASE, Base::read));
        return scant(base, fullVersion, null, evidence, "asked of the server itself only, not through a pooler");
    }

    private ServerFacts scant(
            Base base, String fullVersion, @Nullable String fork, @Nullable String pooler, String reason) {
        return new ServerFacts(
                clock.instant(),
                base.versionNum(),
                base.version(),
                fullVersion,
                ChecksumState.of(base.checksums()),
                Answer.absent(reason),
                base.inRecovery(),
                base.superuser(),
                base.started(),
                Answer.absent(reason),
                Answer.absent(reason),
                Answer.absent(reason),
                Answer.absent(reason),
                Answer.absent(reason),
                Answer.absent(reason),
                Answer.absent(reason),
                Answer.absent(reason),
                Answer.absent(reason),
                Answer.absent(reason),
                Answer.absent(reason),
                base.ignoreFailures(),
                base.online(),
                Answer.absent(reason),
                Answer.absent(reason),
                base.workerProcesses(),
                Answer.absent(reason),
                fork,
                pooler,
                Answer.absent(reason),
                Answer.absent(reason),
                base.standbySlot(),
                Answer.absent(reason));
    }
}

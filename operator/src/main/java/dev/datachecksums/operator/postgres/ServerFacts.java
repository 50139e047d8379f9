package dev.datachecksums.operator.postgres;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one server said about itself in one short conversation. What needs a right that our role lacks, or does not exist in this
 * version, is {@link Answer.Absent} with the reason. Through a pooler only what any role may know is asked. If {@link #fork} is given, the server only resembles PostgreSQL and nothing else
 * here should be built upon.
 *
 * @param observedAt when the conversation ended, by our own clock
 * @param serverVersionNum as in {@code server_version_num}: 150018 is 15.18; 0 on a fork that does not say
 * @param serverVersion as in {@code server_version}, without a packager's words: 15.18, 19rc1
 * @param fullVersion {@code version()}
 * @param checksums {@code data_checksums}
 * @param systemIdentifier from {@code pg_control_system()}: one value a cluster, the same on its standbys
 * @param inRecovery {@code pg_is_in_recovery()}: a standby, or a server still replaying
 * @param superuser whether our current role is one
 * @param postmasterStartTime {@code pg_postmaster_start_time()}: another value means another start (or a crash restart's parent, the same)
 * @param dataDirectory {@code data_directory}, as the server sees it
 * @param configFile {@code config_file}
 * @param binDir BINDIR of the {@code pg_config} view: where the server's own pg_checksums should be
 * @param serverAddress {@code inet_server_addr()}: missing behind a Unix socket
 * @param serverPort {@code inet_server_port()}
 * @param osUser the numeric user and group that the server runs as, from /proc/self/status of a backend
 * @param seLinuxLevel the MCS/MLS level of the server's process
 * @param totalBytes the sum of all databases and the shared catalogs: what pg_checksums reads, nearly
 * @param runningBackups whatever is known to copy the data directory now
 * @param ignoreChecksumFailure {@code ignore_checksum_failure}
 * @param onlineFunctions whether pg_enable_data_checksums(integer, integer) and pg_disable_data_checksums() exist
 * @param interlockPresent whether a configuration file holds {@link Interlock#PARAMETER}
 * @param configErrors what would keep the server from its next start, apart from the interlock
 * @param maxWorkerProcesses {@code max_worker_processes}
 * @param streamingStandbys physical standbys that stream from this server now
 * @param fork the name of what only resembles PostgreSQL, or has no files to convert
 * @param pooler why we believe that we do not talk to the server itself; then almost all else is absent
 * @param checksumFailures from pg_stat_database; missing while checksums are off
 * @param autoConf what postgresql.auto.conf is
 * @param standbySlot whether the slot is there that keeps WAL for a copy of ours, {@code datachecksums_standby}
 * @param copyDirectory whether a directory that the Job's script makes for a copy is there, beside the data directory or inside
 */
public record ServerFacts(
        Instant observedAt,
        int serverVersionNum,
        String serverVersion,
        String fullVersion,
        ChecksumState checksums,
        Answer<String> systemIdentifier,
        boolean inRecovery,
        boolean superuser,
        Instant postmasterStartTime,
        Answer<String> dataDirectory,
        Answer<String> configFile,
        Answer<String> binDir,
        Answer<String> serverAddress,
        Answer<Integer> serverPort,
        Answer<OsUser> osUser,
        Answer<String> seLinuxLevel,
        Answer<List<Database>> databases,
        Answer<Long> totalBytes,
        Answer<List<Tablespace>> tablespaces,
        Answer<List<RunningBackup>> runningBackups,
        boolean ignoreChecksumFailure,
        boolean onlineFunctions,
        Answer<Boolean> interlockPresent,
        Answer<List<ConfigError>> configErrors,
        int maxWorkerProcesses,
        Answer<Integer> streamingStandbys,
        @Nullable String fork,
        @Nullable String pooler,
        Answer<List<ChecksumFailures>> checksumFailures,
        Answer<AutoConf> autoConf,
        boolean standbySlot,
        Answer<Boolean> copyDirectory) {

    /** The slot that keeps the WAL for a copy of ours: one name, used by the Job's script and by nobody else. */
    public static final String STANDBY_SLOT = "datachecksums_standby";

    /** The numeric OS user and group of the server's processes. */
    public record OsUser(int uid, int gid) {}

    /**
     * One database.
     *
     * @param sizeBytes {@code pg_database_size}, or null if it could not be asked
     * @param connectionLimit {@code datconnlimit}: -1 none, -2 an invalid database (a DROP DATABASE was interrupted)
     */
    public record Database(
            String name, long oid, @Nullable Long sizeBytes, int connectionLimit, boolean allowsConnections) {
        public boolean invalid() {
            return connectionLimit == -2;
        }
    }

    /** A tablespace beside the two standard ones. */
    public record Tablespace(String name, String location) {}

    /**
     * A backup that runs, or seems to.
     *
     * @param pid the backend, or null for an exclusive backup, which belongs to no session
     * @param description what it is seen by, for users
     */
    public record RunningBackup(@Nullable Integer pid, String applicationName, String description) {}

    /** A line of a configuration file that the server does not accept. */
    public record ConfigError(
            @Nullable String name, @Nullable String file, int line, String error) {
        /** Such as file:line: name: error, for users. */
        public String describe() {
            return file + ":" + line + ": " + (name == null ? "" : name + ": ") + error;
        }
    }

    /**
     * What the server counted for one database.
     *
     * @param database null for the shared catalogs
     * @param lastFailure null if there was none since the statistics were reset
     */
    public record ChecksumFailures(
            @Nullable String database, long count, @Nullable Instant lastFailure) {}

    /** The same at another moment, when its checksums were in another state and all else was as it was. */
    public ServerFacts at(Instant moment, ChecksumState state) {
        return new ServerFacts(
                moment,
                serverVersionNum,
                serverVersion,
                fullVersion,
                state,
                systemIdentifier,
                inRecovery,
                superuser,
                postmasterStartTime,
                dataDirectory,
                configFile,
                binDir,
                serverAddress,
                serverPort,
                osUser,
                seLinuxLevel,
                databases,
                totalBytes,
                tablespaces,
                runningBackups,
                ignoreChecksumFailure,
                onlineFunctions,
                interlockPresent,
                configErrors,
                maxWorkerProcesses,
                streamingStandbys,
                fork,
                pooler,
                checksumFailures,
                autoConf,
                standbySlot,
                copyDirectory);
    }

    /** {@code serverVersionNum} / 10000: 15 for 15.18. */
    public int majorVersion() {
        return serverVersionNum / 10_000;
    }

    public Optional<String> forkName() {
        return Optional.ofNullable(fork);
    }

    public Optional<String> poolerEvidence() {
        return Optional.ofNullable(pooler);
    }
}

package dev.datachecksums.operator.postgres.online;

import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.Conversation;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Launcher;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Step;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Task;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Worker;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks one conversation for everything in {@link OnlineFacts}. */
final class OnlineReader {
    /** What is neither a client nor one of the processes that every server has holds a background worker slot. */
    private static final String BASE = """
            SELECT current_setting('data_checksums') AS checksums, pg_postmaster_start_time() AS started,
                   CASE WHEN pg_is_in_recovery() THEN 0
                        ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END AS timeline,
                   CASE WHEN pg_is_in_recovery() THEN 0 ELSE (pg_current_wal_insert_lsn() - '0/0')::bigint END AS inserted,
                   CASE WHEN pg_is_in_recovery() THEN 0 ELSE coalesce((SELECT max(pg_current_wal_lsn() - restart_lsn)
                        FROM pg_replication_slots), 0)::bigint END AS kept,
                   pg_size_bytes(current_setting('wal_segment_size')) AS segment,
                   greatest(pg_size_bytes(current_setting('max_wal_size')), pg_size_bytes(current_setting('wal_keep_size'))) AS max_wal,
                   current_setting('archive_mode') <> 'off' AS archiving,
                   (SELECT coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false)
                    FROM pg_stat_archiver) AS archiver_fails,
                   current_setting('vacuum_cost_page_hit')::int AS hit, current_setting('vacuum_cost_page_miss')::int AS miss,
                   current_setting('vacuum_cost_page_dirty')::int AS dirty,
                   current_setting('max_worker_processes')::int AS max_workers,
                   (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type NOT IN ('client backend', 'walsender',
                      'autovacuum launcher', 'autovacuum worker', 'background writer', 'checkpointer', 'walwriter', 'startup',
                      'walreceiver', 'walsummarizer', 'archiver', 'io worker', 'slotsync worker', 'standalone backend', 'logger'))
                     AS workers""";

    private static final String PROCESSES = """
            SELECT a.pid, a.backend_start, a.backend_type ~ 'launcher' AS launcher, p.phase,
                   a.wait_event_type || ':' || a.wait_event AS waits,
                   CASE WHEN a.state = 'active' THEN nullif(a.query, '') END AS activity, coalesce(a.datid, 0)::bigint AS datid, a.datname,
                   p.databases_total, p.databases_done, p.relations_total, p.relations_done, p.blocks_total, p.blocks_done
            FROM pg_stat_activity a LEFT JOIN pg_stat_progress_data_checksums p ON p.pid = a.pid
            WHERE a.backend_type ~ 'checksum' AND a.backend_type ~ '(launcher|worker)$' ORDER BY p.pid IS NULL, a.backend_start""";

    private static final String WORKER_BLOCKS = """
            SELECT coalesce(sum(coalesce(hits, 0) + coalesce(read_bytes, 0) / current_setting('block_size')::int), 0)::bigint
            FROM pg_stat_io WHERE backend_type ~ 'checksum' AND backend_type ~ 'worker$' AND object = 'relation' AND context = 'vacuum'""";

    private static final String DATABASES = """
            SELECT oid::bigint, datname, CASE WHEN datconnlimit = -2 THEN 0 ELSE coalesce(%s, 0) END, datallowconn, datconnlimit = -2
            FROM pg_database ORDER BY ctid""";

    private static final String PREPARED = """
            SELECT transaction::text::bigint, gid, prepared, owner, database FROM pg_prepared_xacts ORDER BY age(transaction) DESC""";

    private static final String REPLICAS = """
            SELECT coalesce(application_name, ''), host(client_addr), coalesce(state, ''), coalesce(sync_state, ''),
                   CASE WHEN NOT pg_is_in_recovery()
                        THEN (pg_current_wal_lsn() - coalesce(replay_lsn, flush_lsn, write_lsn, sent_lsn))::bigint END
            FROM pg_stat_replication ORDER BY 1, 2""";

    private final Conversation server;
    private final Clock clock;
    private final boolean showQueries;

    OnlineReader(Conversation server, Clock clock, boolean showQueries) {
        this.server = server;
        this.clock = clock;
        this.showQueries = showQueries;
    }

    OnlineFacts read(@Nullable OnlineFacts sized) throws SQLException {
        OnlineProgress progress = progress();
        // After the processes: a worker counts its blocks when it ends.
        Answer<Long> workerBlocks = server.ask(() -> server.one(WORKER_BLOCKS, row -> row.getLong(1)));
        List<OldTransaction> old = oldTransactions();
        List<SessionFacts> holders = lockHolders(progress);
        List<OnlineFacts.DatabaseSize> databases = sized == null ? databases() : sized.databases();
        long shared = sized == null
                ? server.one("SELECT pg_tablespace_size('pg_global')", row -> row.getLong(1))
                : sized.sharedBytes();
        List<Replica> replicas = server.all(
                REPLICAS,
                row -> new Replica(
                        row.getString(1), row.getString(2), row.getString(3), row.getString(4), number(row, 5)));
        return server.one(
                BASE,
                row -> new OnlineFacts(
                        clock.instant(),
                        ChecksumState.of(row.getString("checksums")),
                        Objects.requireNonNull(instant(row, "started")),
                        row.getInt("timeline"),
                        progress,
                        databases,
                        shared,
                        workerBlocks,
                        old,
                        holders,
                        replicas,
                        new OnlineFacts.WorkerSlots(row.getInt("max_workers"), row.getInt("workers")),
                        new WalFacts(
                                row.getLong("segment"),
                                row.getLong("max_wal"),
                                row.getLong("kept"),
                                row.getLong("inserted"),
                                row.getBoolean("archiving"),
                                row.getBoolean("archiver_fails")),
                        new OnlineFacts.Costs(row.getInt("hit"), row.getInt("miss"), row.getInt("dirty"))));
    }

    private OnlineProgress progress() throws SQLException {
        List<Object> processes = server.all(PROCESSES, OnlineReader::process);
        return new OnlineProgress(
                processes.stream()
                        .filter(Launcher.class::isInstance)
                        .map(Launcher.class::cast)
                        .findFirst(),
                processes.stream()
                        .filter(Worker.class::isInstance)
                        .map(Worker.class::cast)
                        .findFirst());
    }

    private static Object process(ResultSet row) throws SQLException {
        Task process = new Task(
                row.getInt("pid"),
                Objects.requireNonNull(instant(row, "backend_start")),
                Step.of(row.getString("phase")),
                row.getString("waits"),
                row.getString("activity"));
        return row.getBoolean("launcher")
                ? new Launcher(process, number(row, "databases_total"), number(row, "databases_done"))
                : new Worker(
                        process,
                        row.getLong("datid"),
                        row.getString("datname"),
                        number(row, "relations_total"),
                        number(row, "relations_done"),
                        number(row, "blocks_total"),
                        number(row, "blocks_done"));
    }

    /** Sizes are read from the files; where that takes too long, the rest is worth knowing all the same. */
    private List<OnlineFacts.DatabaseSize> databases() throws SQLException {
        Answer<List<OnlineFacts.DatabaseSize>> sized = server.ask(() -> databases("pg_database_size(oid)"));
        return sized.value().isPresent() ? sized.value().get() : databases("0");
    }

    private List<OnlineFacts.DatabaseSize> databases(String size) throws SQLException {
        return server.all(
                DATABASES.formatted(size),
                row -> new OnlineFacts.DatabaseSize(
                        row.getLong(1), row.getString(2), row.getLong(3), row.getBoolean(4), row.getBoolean(5)));
    }

    private List<OldTransaction> oldTransactions() throws SQLException {
        List<OldTransaction> found = new ArrayList<>(server.all(
                "SELECT " + session(showQueries)
                        + ", a.backend_xid::text::bigint AS xid FROM pg_stat_activity a"
                        + " WHERE a.backend_xid IS NOT NULL AND a.pid <> pg_backend_pid() ORDER BY age(a.backend_xid) DESC LIMIT 100",
                row -> {
                    SessionFacts session = session(row).orElseThrow();
                    return new OldTransaction.OfSession(
                            row.getLong("xid"),
                            session.transactionStarted() == null
                                    ? session.id().started()
                                    : session.transactionStarted(),
                            session);
                }));
        found.addAll(server.all(
                PREPARED,
                row -> new OldTransaction.Prepared(
                        row.getLong(1),
                        Objects.requireNonNull(instant(row, "prepared")),
                        row.getString("gid"),
                        row.getString("owner"),
                        row.getString("database"))));
        found.sort(Comparator.comparing(OldTransaction::since));
        return found;
    }

    private List<SessionFacts> lockHolders(OnlineProgress progress) throws SQLException {
        List<SessionFacts> holders = new ArrayList<>();
        List<Task> processes = new ArrayList<>();
        progress.launcher().map(Launcher::process).ifPresent(processes::add);
        progress.worker().map(Worker::process).ifPresent(processes::add);
        for (Task process : processes) {
            if (process.waitsForType("Lock")) {
                holders.addAll(server.all(
                        "SELECT " + session(showQueries)
                                + " FROM pg_stat_activity a WHERE a.pid = ANY (pg_blocking_pids(" + process.pid()
                                + ")) ORDER BY a.xact_start",
                        row -> session(row).orElseThrow()));
            }
        }
        return holders;
    }

    /** The columns of a session of pg_stat_activity a. */
    static String session(boolean showQueries) {
        return "a.pid, a.backend_start, a.usename, coalesce(a.application_name, '') AS application_name, a.datname, a.state,"
                + " a.xact_start, a.query_start, " + (showQueries ? "left(a.query, 200)" : "NULL")
                + " AS query, a.wait_event_type || ':' || a.wait_event AS waits";
    }

    static Optional<SessionFacts> session(ResultSet row) throws SQLException {
        Integer pid = row.getObject("pid", Integer.class);
        Instant started = instant(row, "backend_start");
        return pid == null || started == null
                ? Optional.empty()
                : Optional.of(new SessionFacts(
                        new SessionId(pid, started),
                        row.getString("usename"),
                        row.getString("application_name"),
                        row.getString("datname"),
                        row.getString("state"),
                        instant(row, "xact_start"),
                        instant(row, "query_start"),
                        row.getString("query"),
                        row.getString("waits")));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        Timestamp stamp = row.getTimestamp(column);
        return stamp == null ? null : stamp.toInstant();
    }

    private static @Nullable Long number(ResultSet row, String column) throws SQLException {
        return row.getObject(column, Long.class);
    }

    private static @Nullable Long number(ResultSet row, int column) throws SQLException {
        return row.getObject(column, Long.class);
    }
}

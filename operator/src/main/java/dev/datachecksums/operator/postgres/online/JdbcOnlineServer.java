package dev.datachecksums.operator.postgres.online;

import dev.datachecksums.operator.postgres.Conversation;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerTarget;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Over JDBC, a new connection each time. */
public final class JdbcOnlineServer implements OnlineServer {
    /**
     * Space is told by a program only, and a program's words reach SQL only by way of a file: in the directory for such, which base
     * backups leave out and a start empties.
     */
    private static final String SPACE_FILE = "pg_stat_tmp/datachecksums.space";

    private static final Pattern SPACE = Pattern.compile("(?s).*\\s(\\d+)\\s+\\d+\\s+(\\d+)\\s+\\d+%\\s.*");

    private final Clock clock;
    private final boolean showQueries;

    /**
     * @param clock for {@link OnlineFacts#observedAt}
     * @param showQueries whether the texts of others' statements may be read: they may hold data
     */
    public JdbcOnlineServer(Clock clock, boolean showQueries) {
        this.clock = clock;
        this.showQueries = showQueries;
    }

    @Override
    public void enable(ServerTarget target, Throttle throttle) throws ServerException {
        tell(
                target,
                "SELECT pg_enable_data_checksums(" + throttle.costDelay().toMillis() + ", " + throttle.costLimit()
                        + ")");
    }

    @Override
    public void disable(ServerTarget target) throws ServerException {
        tell(target, "SELECT pg_disable_data_checksums()");
    }

    private static void tell(ServerTarget target, String sql) throws ServerException {
        Conversation.with(target, c -> {
            c.execute(sql);
            return true;
        });
    }

    @Override
    public OnlineFacts read(ServerTarget target, @Nullable OnlineFacts sized) throws ServerException {
        return Conversation.with(target, c -> new OnlineReader(c, clock, showQueries).read(sized));
    }

    /** From the files: asking for a relation's size would wait for whoever has locked it. */
    @Override
    public List<RelationSize> relations(ServerTarget target, boolean sharedToo) throws ServerException {
        return Conversation.with(
                target,
                c -> c.all(
                        """
                        WITH relation AS (
                          SELECT c.oid, c.ctid AS place, n.nspname || '.' || c.relname AS name, pg_relation_filepath(c.oid) AS path
                          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                          WHERE c.relkind IN ('r', 'i', 'S', 't', 'm') AND c.relpersistence <> 't'
                            AND (NOT c.relisshared OR %s)),
                        directory AS (
                          SELECT DISTINCT regexp_replace(path, '/[^/]*$', '') AS name FROM relation WHERE path IS NOT NULL),
                        file AS (
                          SELECT d.name || '/' || substring(f FROM '^[0-9]+') AS path, f !~ '_' AS main,
                                 coalesce((pg_stat_file(d.name || '/' || f, true)).size, 0) AS bytes
                          FROM directory d, pg_ls_dir(d.name, true, false) f WHERE f ~ '^[0-9]'),
                        size AS (
                          SELECT path, sum(bytes) AS bytes, sum(bytes) FILTER (WHERE main) AS main FROM file GROUP BY path)
                        SELECT oid::bigint, name, coalesce(main, 0)::bigint, coalesce(bytes, 0)::bigint
                        FROM relation LEFT JOIN size USING (path) ORDER BY place""".formatted(sharedToo),
                        row -> new RelationSize(row.getLong(1), row.getString(2), row.getLong(3), row.getLong(4))));
    }

    /** What has no file any more was left behind by a crash; its number may be another session's now. */
    @Override
    public List<TemporaryTables> temporaryTables(ServerTarget target) throws ServerException {
        return Conversation.with(
                target,
                c -> c.all(
                        """
                        WITH temporary AS (
                          SELECT substring(n.nspname FROM '_temp_([0-9]+)$')::int AS number, count(*)::int AS tables,
                                 bool_or((pg_stat_file(pg_relation_filepath(c.oid), true)).size IS NOT NULL) AS live
                          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                          WHERE c.relpersistence = 't' AND c.relkind IN ('r', 'i', 'S', 't', 'm') GROUP BY 1)
                        SELECT t.number, t.tables, %s
                        FROM temporary t
                        LEFT JOIN pg_stat_get_backend_idset() s ON s = t.number AND t.live
                        LEFT JOIN pg_stat_activity a ON a.pid = pg_stat_get_backend_pid(s) AND a.datname = current_database()
                        ORDER BY t.number""".formatted(OnlineReader.session(showQueries)),
                        row -> new TemporaryTables(
                                "pg_temp_" + row.getInt("number"), row.getInt("tables"), OnlineReader.session(row))));
    }

    @Override
    public DiskSpace walSpace(ServerTarget target) throws ServerException {
        return Conversation.with(target, c -> {
            c.execute("COPY (SELECT 1) TO PROGRAM 'cat >/dev/null; LC_ALL=C df -Pk pg_wal/ >" + SPACE_FILE + "'");
            String said = c.one("SELECT pg_read_file('" + SPACE_FILE + "')", row -> row.getString(1));
            c.execute("COPY (SELECT 1) TO PROGRAM 'cat >/dev/null; rm -f " + SPACE_FILE + "'");
            Matcher m = SPACE.matcher(said);
            if (!m.matches()) {
                throw new java.sql.SQLException("df at the server did not say how much space there is", "38000");
            }
            return new DiskSpace(Long.parseLong(m.group(1)) * 1024, Long.parseLong(m.group(2)) * 1024);
        });
    }

    /** Only the row of that process is looked at, and CASE keeps the order: a condition beside others may be tried on every row first. */
    @Override
    public List<SessionId> terminate(ServerTarget target, List<SessionId> sessions) throws ServerException {
        return Conversation.with(target, c -> {
            List<SessionId> ended = new ArrayList<>();
            for (SessionId s : sessions) {
                List<Boolean> told = c.all(
                        "SELECT CASE WHEN (extract(epoch FROM backend_start) * 1000000)::bigint = "
                                + micros(s.started())
                                + " THEN pg_terminate_backend(pid) ELSE false END FROM pg_stat_get_activity(" + s.pid()
                                + ")",
                        row -> row.getBoolean(1));
                if (told.contains(true)) {
                    ended.add(s);
                }
            }
            return List.copyOf(ended);
        });
    }

    private static long micros(Instant t) {
        return t.getEpochSecond() * 1_000_000 + t.getNano() / 1_000;
    }
}

package dev.datachecksums.operator.postgres.standby;

import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.Conversation;
import dev.datachecksums.operator.postgres.ServerAddress;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.ServerTarget;
import dev.datachecksums.operator.postgres.online.DiskSpace;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Over JDBC, a new connection each time. */
public final class JdbcStandbyServer implements StandbyServer {

    private static final String SPACE_FILE = "pg_stat_tmp/datachecksums.standby";
    /** A row of df -Pk: device, blocks, used, available, capacity, mounted on. */
    private static final Pattern SPACE = Pattern.compile("(?m)^\\S.*?\\s(\\d+)\\s+\\d+\\s+(\\d+)\\s+\\d+%\\s");

    private static final String BASE = """
        SELECT current_setting('wal_level') AS level,
               current_setting('max_replication_slots')::int
                 - (SELECT count(*)::int FROM pg_replication_slots WHERE slot_name <> '%s') AS slots,
               pg_size_bytes(current_setting('max_wal_size')) AS max_wal,
               CASE coalesce(current_setting('max_slot_wal_keep_size', true), '-1') WHEN '-1' THEN -1
                    ELSE pg_size_bytes(current_setting('max_slot_wal_keep_size', true)) END AS keep
        """.formatted(ServerFacts.STANDBY_SLOT);

    /** By the files: the catalogs of all databases would have to be asked, and say the same. */
    private static final String UNLOGGED = """
        SELECT d.datname, count(*)::int FROM pg_database d, pg_ls_dir('base/' || d.oid, true, false) f
        WHERE f LIKE '%\\_init' GROUP BY 1 ORDER BY 1\
        """;

    private static final String MANAGERS = """
        SELECT rm_name FROM pg_get_wal_resource_managers() WHERE NOT rm_builtin ORDER BY 1\
        """;

    /** The server's own have an oid below 16384; the named ones are known to write generic WAL. */
    private static final String METHODS = """
        SELECT DISTINCT amname FROM pg_class c JOIN pg_am a ON a.oid = c.relam
        WHERE a.oid >= 16384 AND amname NOT IN ('bloom', 'hnsw', 'ivfflat', 'rum') ORDER BY 1\
        """;

    private static final int FIRST_WITH_MANAGERS = 150_000;

    private final Clock clock;

    /** With the clock of {@link StandbyFacts#observedAt}. */
    public JdbcStandbyServer(Clock clock) {
        this.clock = clock;
    }

    private record Database(String name, boolean open) {}

    @Override
    public StandbyFacts read(ServerTarget target) throws ServerException {
        List<Database> databases = new ArrayList<>();
        StandbyFacts facts = Conversation.with(target, c -> {
            databases.addAll(c.all(
                    "SELECT datname, datallowconn AND datconnlimit <> -2 FROM pg_database ORDER BY 1",
                    row -> new Database(row.getString(1), row.getBoolean(2))));
            return read(c, databases);
        });
        return facts.accessMethods() instanceof Answer.Given<List<String>>
                ? withMethods(facts, methods(target, databases))
                : facts;
    }

    private StandbyFacts read(Conversation c, List<Database> databases) throws SQLException {
        Answer<List<DiskSpace>> space = c.ask(() -> space(c));
        int version = c.one("SELECT current_setting('server_version_num')::int", row -> row.getInt(1));
        Answer<List<String>> unlogged =
                c.ask(() -> c.all(UNLOGGED, row -> row.getInt(2) + " in database " + row.getString(1)));
        Answer<List<String>> managers = version < FIRST_WITH_MANAGERS
                ? Answer.given(List.of())
                : c.ask(() -> c.all(MANAGERS, row -> row.getString(1)));
        return c.one(
                BASE,
                row -> new StandbyFacts(
                        clock.instant(),
                        of(space, 0),
                        of(space, 1),
                        unlogged,
                        Answer.given(List.of()),
                        managers,
                        databases.stream()
                                .filter(d -> !d.open() && !d.name().equals("template0"))
                                .map(Database::name)
                                .toList(),
                        row.getString("level"),
                        row.getInt("slots"),
                        row.getLong("keep"),
                        row.getLong("max_wal")));
    }

    private static Answer<DiskSpace> of(Answer<List<DiskSpace>> both, int which) {
        return both.value().isPresent()
                ? Answer.given(both.value().get().get(which))
                : Answer.absent(both.whyAbsent().orElse("unknown"));
    }

    private static List<DiskSpace> space(Conversation c) throws SQLException {
        c.execute("COPY (SELECT 1) TO PROGRAM 'cat >/dev/null; { LC_ALL=C df -Pk ./ && LC_ALL=C df -Pk pg_wal/; } >"
                + SPACE_FILE + "'");
        String said = c.one("SELECT pg_read_file('" + SPACE_FILE + "')", row -> row.getString(1));
        c.execute("COPY (SELECT 1) TO PROGRAM 'cat >/dev/null; rm -f " + SPACE_FILE + "'");
        List<DiskSpace> found = new ArrayList<>();
        Matcher m = SPACE.matcher(said);
        while (m.find()) {
            found.add(new DiskSpace(Long.parseLong(m.group(1)) * 1024, Long.parseLong(m.group(2)) * 1024));
        }
        if (found.size() != 2) {
            throw new SQLException("df at the server did not say how much space there is", "38000");
        }
        return List.copyOf(found);
    }

    private static Answer<List<String>> methods(ServerTarget target, List<Database> databases) {
        List<String> found = new ArrayList<>();
        for (Database d : databases) {
            if (!d.open()) {
                continue;
            }
            ServerAddress a = target.address();
            try {
                ServerTarget there = new ServerTarget(
                        new ServerAddress(a.host(), a.port(), d.name()),
                        target.credentials(),
                        target.tls(),
                        target.timeouts());
                Conversation.with(there, c -> c.all(METHODS, row -> row.getString(1)))
                        .forEach(m -> found.add(m + " in database " + d.name()));
            } catch (ServerException | IllegalArgumentException e) {
                return Answer.absent("database " + d.name() + " could not be looked into: " + e.getMessage());
            }
        }
        return Answer.given(List.copyOf(found));
    }

    private static StandbyFacts withMethods(StandbyFacts f, Answer<List<String>> methods) {
        return new StandbyFacts(
                f.observedAt(),
                f.dataSpace(),
                f.walSpace(),
                f.unlogged(),
                methods,
                f.resourceManagers(),
                f.closedDatabases(),
                f.walLevel(),
                f.freeSlots(),
                f.maxSlotWalKeepBytes(),
                f.maxWalBytes());
    }

    @Override
    public void dropSlot(ServerTarget target) throws ServerException {
        Conversation.with(
                target,
                c -> c.all(
                        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '"
                                + ServerFacts.STANDBY_SLOT + "' AND NOT active",
                        row -> ""));
    }
}

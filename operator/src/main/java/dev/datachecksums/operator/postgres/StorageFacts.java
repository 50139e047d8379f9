package dev.datachecksums.operator.postgres;

import dev.datachecksums.operator.postgres.Asking.Unanswered;
import dev.datachecksums.operator.postgres.ServerFacts.ChecksumFailures;
import dev.datachecksums.operator.postgres.ServerFacts.Database;
import dev.datachecksums.operator.postgres.ServerFacts.Tablespace;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Databases, their sizes, tablespaces, and the checksum failures counted so far. */
final class StorageFacts {
    private record Size(long oid, @Nullable Long bytes) {}

    private StorageFacts() {}

    /** The sizes apart from the list: they walk the files, and may run into the statement's time limit. */
    static List<Database> databases(Asking asking) throws SQLException {
        Session session = asking.session();
        Answer<List<Size>> sizes =
                asking.ask(() -> session.all("""
                SELECT d.oid::bigint,
                       CASE WHEN has_database_privilege(d.oid, 'CONNECT') OR pg_has_role('pg_read_all_stats', 'MEMBER')
                            THEN pg_database_size(d.oid) END
                FROM pg_database d""", row -> new Size(row.getLong(1), row.getObject(2, Long.class))));
        Map<Long, @Nullable Long> byOid = new HashMap<>();
        sizes.value().orElse(List.of()).forEach(size -> byOid.put(size.oid(), size.bytes()));
        return session.all(
                "SELECT datname, oid::bigint AS oid, datconnlimit, datallowconn FROM pg_database ORDER BY datname",
                row -> new Database(
                        row.getString("datname"),
                        row.getLong("oid"),
                        byOid.get(row.getLong("oid")),
                        row.getInt("datconnlimit"),
                        row.getBoolean("datallowconn")));
    }

    /** A database of unknown size makes the sum unknown; an invalid one may have no files left. */
    static long totalBytes(Session session, List<Database> databases) throws SQLException, Unanswered {
        long sum = session.one("""
                SELECT CASE WHEN pg_has_role('pg_read_all_stats', 'MEMBER')
                            THEN pg_tablespace_size('pg_global') ELSE 0 END""", row -> row.getLong(1));
        for (Database database : databases) {
            Long bytes = database.sizeBytes();
            if (bytes == null && !database.invalid()) {
                throw new Unanswered("the size of database \"" + database.name() + "\" is not known");
            }
            sum += bytes == null ? 0 : bytes;
        }
        return sum;
    }

    static List<Tablespace> tablespaces(Session session) throws SQLException {
        return session.all("""
                SELECT spcname, pg_tablespace_location(oid) FROM pg_tablespace
                WHERE spcname NOT IN ('pg_default', 'pg_global') ORDER BY 1""", row -> new Tablespace(row.getString(1), row.getString(2)));
    }

    static List<ChecksumFailures> checksumFailures(Session session) throws SQLException, Unanswered {
        List<ChecksumFailures> found = session.all(
                """
                SELECT datname, checksum_failures, checksum_last_failure FROM pg_stat_database
                WHERE checksum_failures IS NOT NULL ORDER BY datname NULLS FIRST""",
                row -> new ChecksumFailures(
                        row.getString(1), row.getLong(2), Asking.instant(row, "checksum_last_failure")));
        if (found.isEmpty()) {
            throw new Unanswered("the server counts failures only while checksums are on");
        }
        return found;
    }
}

package dev.datachecksums.e2e.load;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** Fills a database, so that a conversion has something to do. */
public final class Filler {
    private static final int ROWS_PER_MEGABYTE = 930;

    private Filler() {}

    /** Adds a table {@code filler} over a connection of its own; see {@link #fill(Connection, String, int)}. */
    public static void fill(ConnectionSource source, int megabytes) throws SQLException {
        try (Connection connection = source.connect(Duration.ofMinutes(1))) {
            fill(connection, "filler", megabytes);
        }
    }

    /**
     * Adds a table of about so many megabytes, with an index, and writes it out. About 100 MB a second.
     *
     * @return the size of all databases, in bytes
     */
    public static long fill(Connection connection, String table, int megabytes) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table " + table + " (id int, filler text) with (autovacuum_enabled = off)");
            // Fewer than 2000 bytes a row: longer ones would be compressed.
            statement.execute("insert into " + table + " select g, repeat(md5(g::text), 31) from generate_series(1, "
                    + (long) megabytes * ROWS_PER_MEGABYTE + ") g");
            statement.execute("create index on " + table + " (id)");
            statement.execute("checkpoint");
            try (ResultSet size = statement.executeQuery("select sum(pg_database_size(oid)) from pg_database")) {
                size.next();
                return size.getLong(1);
            }
        }
    }
}

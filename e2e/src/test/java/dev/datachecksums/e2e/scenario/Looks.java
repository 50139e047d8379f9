package dev.datachecksums.e2e.scenario;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** How often the operator has looked at a server: each look is a session of its own. */
final class Looks {

    private Looks() {}

    /** Up to now; the connection by which that is asked stays open, and so is none of them. */
    static long at(Connection watching) throws SQLException {
        try (Statement statement = watching.createStatement();
                ResultSet row =
                        statement.executeQuery("select sessions from pg_stat_database where datname = 'postgres'")) {
            row.next();
            return row.getLong(1);
        }
    }
}

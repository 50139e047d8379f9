package dev.datachecksums.e2e.load;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Where a load generator finds the server, again after each break. */
@FunctionalInterface
public interface ConnectionSource {

    /**
     * A new connection.
     *
     * @param timeout of connecting, and of each answer
     */
    Connection connect(Duration timeout) throws SQLException;
}

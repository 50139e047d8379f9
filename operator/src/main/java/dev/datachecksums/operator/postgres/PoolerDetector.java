package dev.datachecksums.operator.postgres;

import java.sql.SQLException;
import java.util.Optional;

/**
 * Whether something stands between us and the server's own process. At login a server names the process that serves us, in the
 * protocol; a pooler makes up a key of its own there, and SQL then names another process.
 */
final class PoolerDetector {
    private PoolerDetector() {}

    static Optional<String> evidence(Session session, int pidBySql, String versionBySql) throws SQLException {
        int announced = session.protocolPid();
        if (announced != pidBySql) {
            return Optional.of("at login process " + announced + " was announced, but process " + pidBySql
                    + " answers: a pooler such as PgBouncer stands in between");
        }
        String version = session.reported("server_version").orElse(versionBySql);
        if (!version.equals(versionBySql)) {
            return Optional.of("at login version " + ServerException.printable(version)
                    + " was announced, but the server is " + ServerException.printable(versionBySql)
                    + ": a pooler or proxy stands in between");
        }
        return Optional.empty();
    }
}

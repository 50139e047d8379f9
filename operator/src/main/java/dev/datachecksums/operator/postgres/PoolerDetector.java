package dev.datachecksums.operator.postgres;

import java.sql.SQLException;
import java.util.Optional;

/**
 * Whether something stands between us and the server's own process. At login a server names the process that serves us, in the
 * protocol; a pooler makes up a key of its own there, and SQL then names another process. Found out before anything is set: a pooler
 * would hand our settings to its next client.
 */
final class PoolerDetector {
    private record Served(int pid, String version) {}

    private PoolerDetector() {}

    /**
     * Lets nobody but the server itself pass.
     *
     * @throws ServerException BEHIND_POOLER
     */
    static void refuse(Session session) throws ServerException, SQLException {
        Optional<String> pooler = evidence(session);
        if (pooler.isPresent()) {
            throw new ServerException(
                    ServerProblem.BEHIND_POOLER,
                    session.target().address() + " is not the server itself: " + pooler.get()
                            + "; give the server's own address");
        }
    }

    static Optional<String> evidence(Session session) throws SQLException {
        Served served = session.one(
                "SELECT pg_catalog.pg_backend_pid(), pg_catalog.current_setting('server_version')",
                row -> new Served(row.getInt(1), row.getString(2)));
        int announced = session.protocolPid();
        if (announced != served.pid()) {
            return Optional.of("at login process " + announced + " was announced, but process " + served.pid()
                    + " answers: a pooler such as PgBouncer stands in between");
        }
        String version = session.reported("server_version").orElse(served.version());
        if (!version.equals(served.version())) {
            return Optional.of("at login version " + ServerException.printable(version)
                    + " was announced, but the server is " + ServerException.printable(served.version())
                    + ": a pooler or proxy stands in between");
        }
        return Optional.empty();
    }
}

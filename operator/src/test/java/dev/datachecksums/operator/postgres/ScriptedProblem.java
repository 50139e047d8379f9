package dev.datachecksums.operator.postgres;

/** Errors for scripted servers, as {@link Problems} makes them of a real server's. */
public final class ScriptedProblem {
    private ScriptedProblem() {}

    public static ServerException of(ServerProblem kind, String sqlState, String message) {
        return new ServerException(kind, sqlState, message, null);
    }
}

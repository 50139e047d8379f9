package dev.datachecksums.operator.postgres;

import java.io.EOFException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Types a failure by its SQLSTATE, and by the class of its causes where only the driver speaks; never by its text. */
final class Problems {
    private static final int DEEPEST = 20;

    private Problems() {}

    /** A failure while the connection was being made. */
    static ServerException connecting(ServerTarget target, SQLException failure) {
        return make(connectingKind(target.tls(), failure), target, failure);
    }

    /** A failure of a statement on a connection that stood. */
    static ServerException asking(ServerTarget target, SQLException failure) {
        return make(askingKind(failure), target, failure);
    }

    private static ServerException make(ServerProblem kind, ServerTarget target, SQLException failure) {
        return new ServerException(kind, failure.getSQLState(), describe(kind, target, failure), failure);
    }

    static ServerProblem connectingKind(Tls tls, SQLException failure) {
        if (fromServer(failure)) {
            return askingKind(failure);
        }
        if (causedBy(failure, SSLException.class) || causedBy(failure, GeneralSecurityException.class)) {
            return ServerProblem.TLS_FAILED;
        }
        if (causedBy(failure, SocketTimeoutException.class)) {
            return ServerProblem.TIMED_OUT;
        }
        return failure.getCause() == null ? withoutCause(tls, failure) : askingKind(failure);
    }

    private static ServerProblem withoutCause(Tls tls, SQLException failure) {
        return switch (stateOf(failure)) {
            // The driver's bound on the whole login is the only failure of this state without a cause.
            case "08001" -> ServerProblem.TIMED_OUT;
            // "No TLS here" and "a login method that the driver does not know" look the same, but only where TLS is
            // required.
            case "08004" ->
                tls.mode().demandsEncryption() ? ServerProblem.TLS_FAILED : ServerProblem.AUTHENTICATION_FAILED;
            // A certificate of another host: the only one without a cause before a session stands.
            case "08006" -> tls.verifies() ? ServerProblem.TLS_FAILED : ServerProblem.UNREACHABLE;
            default -> askingKind(failure);
        };
    }

    static ServerProblem askingKind(SQLException failure) {
        String state = stateOf(failure);
        return switch (state) {
            case "08P01" -> ServerProblem.NOT_POSTGRES;
            case "57014", "55P03" -> ServerProblem.TIMED_OUT;
            case "28P01", "28000" -> ServerProblem.AUTHENTICATION_FAILED;
            case "57P03" -> ServerProblem.STARTING_UP;
            case "57P01", "57P02" -> ServerProblem.SHUTTING_DOWN;
            case "53300" -> ServerProblem.TOO_MANY_CONNECTIONS;
            case "3D000" -> ServerProblem.NO_SUCH_DATABASE;
            case "42501" -> ServerProblem.PERMISSION_DENIED;
            case "38000" -> ServerProblem.PROGRAM_FAILED;
            default ->
                causedBy(failure, SocketTimeoutException.class)
                        ? ServerProblem.TIMED_OUT
                        : state.startsWith("08") ? ServerProblem.UNREACHABLE : ServerProblem.OTHER;
        };
    }

    /** The session is gone or cannot be used any more, so that no further statement can succeed. */
    static boolean endsSession(SQLException failure) {
        String state = stateOf(failure);
        return state.startsWith("08") || state.startsWith("57P") || causedBy(failure, java.io.IOException.class);
    }

    static boolean timedOut(SQLException failure) {
        return causedBy(failure, SocketTimeoutException.class);
    }

    private static boolean fromServer(SQLException failure) {
        return failure instanceof PSQLException e && e.getServerErrorMessage() != null;
    }

    private static String stateOf(SQLException failure) {
        String state = failure.getSQLState();
        return state == null ? "" : state;
    }

    private static boolean causedBy(Throwable failure, Class<? extends Throwable> type) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
            if (type.isInstance(cause)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    static String describe(ServerProblem kind, ServerTarget target, SQLException failure) {
        ServerAddress address = target.address();
        String user = ServerException.printable(target.credentials().username());
        String words = words(failure);
        return switch (kind) {
            case UNREACHABLE ->
                "cannot connect to " + address + ": " + unreachable(failure, words)
                        + "; check that the server runs, the host and port, and that network policies let the operator through";
            case TIMED_OUT ->
                address + " did not answer in time: " + words
                        + "; check that it is a PostgreSQL server, that it is not overloaded or stuck, and that network policies do not drop packets";
            case AUTHENTICATION_FAILED ->
                address + " refused the login of user \"" + user + "\": " + words
                        + "; check the user name and password in the credentials secret, and pg_hba.conf";
            case TLS_FAILED ->
                "no trusted TLS connection to " + address + " in mode "
                        + target.tls().mode().sslMode() + ": " + words
                        + "; check the server's ssl setting and certificate, the CA given, the TLS mode, and that it is a PostgreSQL server";
            case NOT_POSTGRES ->
                "what answers at " + address + " is not a PostgreSQL server: " + words + "; check the host and port";
            case STARTING_UP ->
                address + " takes no connections now: " + words
                        + "; it is starting, recovering or stopping, wait for it";
            case SHUTTING_DOWN ->
                address + " ended the session: " + words + "; it is stopping or was restarted, wait for it";
            case TOO_MANY_CONNECTIONS ->
                address + " has no free connection slot: " + words
                        + "; close sessions, raise max_connections, or use a superuser, for whom slots are reserved";
            case NO_SUCH_DATABASE ->
                address + ": " + words + "; name a database that exists, such as postgres, in the connection";
            case PERMISSION_DENIED ->
                address + ": user \"" + user + "\" may not do this: " + words + "; log in as a superuser";
            case BEHIND_POOLER, PROGRAM_FAILED, CONFIGURATION_BROKEN, OTHER ->
                address + " answered with an error" + (stateOf(failure).isEmpty() ? "" : " " + stateOf(failure)) + ": "
                        + words;
        };
    }

    private static String unreachable(SQLException failure, String words) {
        if (causedBy(failure, UnknownHostException.class)) {
            return "the name does not resolve";
        }
        return causedBy(failure, EOFException.class) ? "the connection was closed while it was being made" : words;
    }

    /** The server's own words, or the driver's with its innermost reason. */
    private static String words(SQLException failure) {
        if (failure instanceof PSQLException e) {
            ServerErrorMessage error = e.getServerErrorMessage();
            if (error != null) {
                return ServerException.printable(orEmpty(error.getMessage())
                        + (error.getDetail() == null ? "" : " (" + error.getDetail() + ")"));
            }
        }
        Throwable root = failure;
        for (int depth = 0; root.getCause() != null && depth < DEEPEST; depth++) {
            root = root.getCause();
        }
        String text = orEmpty(failure.getMessage());
        String reason = orEmpty(root.getMessage());
        return ServerException.printable(reason.isEmpty() || text.contains(reason) ? text : text + " (" + reason + ")");
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}

package dev.datachecksums.operator.postgres;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A server could not be asked or told. The message is for users: what failed, why, what to do; it never holds a password. */
public final class ServerException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_QUOTE = 300;

    private final ServerProblem kind;
    private final @Nullable String sqlState;

    ServerException(ServerProblem kind, @Nullable String sqlState, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.sqlState = sqlState;
    }

    ServerException(ServerProblem kind, String message) {
        this(kind, null, message, null);
    }

    public ServerProblem kind() {
        return kind;
    }

    /** The five characters by which it was told, if the failure had any. */
    public Optional<String> sqlState() {
        return Optional.ofNullable(sqlState);
    }

    /** A foreign text on one line, without control characters and of bounded length: it may end up in a status. */
    static String printable(String text) {
        String line = text.strip().replaceAll("\\p{Cntrl}+", " ");
        return line.length() <= LONGEST_QUOTE ? line : line.substring(0, LONGEST_QUOTE) + "…";
    }
}

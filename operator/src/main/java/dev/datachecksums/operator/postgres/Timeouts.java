package dev.datachecksums.operator.postgres;

import java.time.Duration;

/**
 * The bounds of every call. All are positive; a fraction of a second counts as a whole one where the driver knows seconds only.
 *
 * @param connect for reaching the server's port
 * @param socket for each answer; longer than {@code statement}, so that the server's own refusal arrives first
 * @param statement for each statement, and for its locks, kept by the server
 */
public record Timeouts(Duration connect, Duration socket, Duration statement) {
    /** What suits a short conversation on one network. */
    public static final Timeouts DEFAULT =
            new Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofSeconds(10));

    /** @throws IllegalArgumentException if one is not positive */
    public Timeouts {
        if (!positive(connect) || !positive(socket) || !positive(statement)) {
            throw new IllegalArgumentException("every timeout must be positive");
        }
    }

    private static boolean positive(Duration duration) {
        return duration.compareTo(Duration.ZERO) > 0;
    }

    static int seconds(Duration duration) {
        return Math.toIntExact(duration.plusNanos(999_999_999).toSeconds());
    }
}

package dev.datachecksums.operator.status;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Times as they are written: RFC 3339, UTC, whole seconds for people and milliseconds where an outage is measured. */
final class Times {

    private Times() {}

    static String seconds(Instant t) {
        return t.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static String millis(Instant t) {
        return t.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** What was written so; anything else is no time. */
    static Optional<Instant> instant(@Nullable String text) {
        try {
            return text == null ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}

package dev.datachecksums.operator.decide;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Reads times of a status. A status that somebody has edited must not stop a conversion half-way. */
final class Times {

    private Times() {}

    /** As Kubernetes writes times: RFC 3339, UTC, whole seconds. */
    static String seconds(Instant t) {
        return t.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** The time; the epoch where there is none or it cannot be read: everything that was due since then is due. */
    static Instant parse(@Nullable String text) {
        if (text == null) {
            return Instant.EPOCH;
        }
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            return Instant.EPOCH;
        }
    }
}

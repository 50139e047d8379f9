package dev.datachecksums.operator.status;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as they are written: RFC 3339, UTC, whole seconds for people and milliseconds where an outage is measured. */
final class Times {

    private Times() {}

    static String seconds(Instant t) {
        return t.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static String millis(Instant t) {
        return t.truncatedTo(ChronoUnit.MILLIS).toString();
    }
}

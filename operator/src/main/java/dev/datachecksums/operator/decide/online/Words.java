package dev.datachecksums.operator.decide.online;

import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.online.SessionFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** How things are said to users. */
public final class Words {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

    private Words() {}

    static String state(ChecksumState s) {
        return s.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Bytes in the unit that fits, such as 4.2 GiB. */
    public static String bytes(long n) {
        double value = n;
        int unit = 0;
        while (value >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return unit == 0 ? n + " B" : String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
    }

    static String duration(Duration d) {
        return d.compareTo(Duration.ofDays(2)) >= 0
                ? "about " + Math.round(d.toHours() / 24.0) + " days"
                : Durations.format(Duration.ofSeconds(Math.max(0, d.toSeconds())));
    }

    /** Process, user, application, database, what it is at, and since when. */
    static String session(SessionFacts s, Instant now) {
        StringBuilder b = new StringBuilder("process ").append(s.id().pid());
        if (s.user() != null) {
            b.append(" of user ").append(s.user());
        }
        if (!s.application().isBlank()) {
            b.append(", application ").append(s.application());
        }
        if (s.database() != null) {
            b.append(", database ").append(s.database());
        }
        if (s.state() != null) {
            b.append(", ").append(s.state());
        }
        if (s.transactionStarted() != null) {
            b.append(", transaction open for ").append(duration(Duration.between(s.transactionStarted(), now)));
        }
        if (s.queryStarted() != null) {
            b.append(", last statement begun at ").append(s.queryStarted());
        }
        if (s.query() != null) {
            b.append(": ").append(s.query());
        }
        return b.toString();
    }
}

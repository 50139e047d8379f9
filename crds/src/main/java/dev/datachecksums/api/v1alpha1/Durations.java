package dev.datachecksums.api.v1alpha1;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Durations as Kubernetes writes them ({@code 1h30m}). They are strings in the API because java.time.Duration is
 * written as PT1H30M and refuses 10m.
 */
public final class Durations {
    /** The accepted form; the CEL function duration() reads the same. */
    public static final String PATTERN = "^([0-9]+(ms|s|m|h))+$";

    private static final Pattern PART = Pattern.compile("([0-9]+)(ms|s|m|h)");
    /** As {@link #format} writes them. */
    private static final Pattern WRITTEN = Pattern.compile(
            "(?:([0-9]+)d)?(?:([0-9]+)h)?(?:([0-9]+)m(?!s))?(?:([0-9]+)(?:\\.([0-9]))?s)?(?:([0-9]+)ms)?");

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException if the text is not of the form {@link #PATTERN}, or too large
     */
    public static Duration parse(String text) {
        if (!text.matches(PATTERN)) {
            throw new IllegalArgumentException("not a duration such as 90s, 10m or 1h30m: " + text);
        }
        Duration sum = Duration.ZERO;
        Matcher part = PART.matcher(text);
        try {
            while (part.find()) {
                long n = Long.parseLong(part.group(1));
                sum = sum.plus(
                        switch (part.group(2)) {
                            case "ms" -> Duration.ofMillis(n);
                            case "s" -> Duration.ofSeconds(n);
                            case "m" -> Duration.ofMinutes(n);
                            default -> Duration.ofHours(n);
                        });
            }
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException("too large for a duration: " + text, e);
        }
        return sum;
    }

    /**
     * Reads what {@link #format} has written, such as a time in a status: 4.4s or 1d2h, which a spec may not have.
     *
     * @throws IllegalArgumentException if it is none, or too large
     */
    public static Duration read(String text) {
        Matcher m = WRITTEN.matcher(text);
        if (text.isEmpty() || !m.matches()) {
            throw new IllegalArgumentException("not a duration such as 850ms, 4.4s, 2m5s or 1d2h: " + text);
        }
        try {
            return Duration.ofDays(number(m.group(1)))
                    .plusHours(number(m.group(2)))
                    .plusMinutes(number(m.group(3)))
                    .plusSeconds(number(m.group(4)))
                    .plusMillis(100 * number(m.group(5)))
                    .plusMillis(number(m.group(6)));
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException("too large for a duration: " + text, e);
        }
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    /** Writes a duration for a reader: two units at most, rounded down, such as 1h30m, 2m5s, 850ms; below zero (a clock was set back) 0ms. */
    public static String format(Duration d) {
        if (d.compareTo(Duration.ofSeconds(1)) < 0) {
            return Math.max(0, d.toMillis()) + "ms";
        }
        long s = d.toSeconds();
        if (s < 60) {
            return s < 10 && d.toMillisPart() >= 100 ? s + "." + d.toMillisPart() / 100 + "s" : s + "s";
        }
        if (s < 3600) {
            return s / 60 + "m" + (s % 60 == 0 ? "" : s % 60 + "s");
        }
        if (s < 86_400) {
            return s / 3600 + "h" + (s % 3600 < 60 ? "" : s % 3600 / 60 + "m");
        }
        return s / 86_400 + "d" + (s % 86_400 < 3600 ? "" : s % 86_400 / 3600 + "h");
    }
}

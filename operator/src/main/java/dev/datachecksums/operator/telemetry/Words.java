package dev.datachecksums.operator.telemetry;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads what a status says in words: it may have been written by another release, or by hand, and then says nothing. */
final class Words {

    private static final Pattern WRITTEN = Pattern.compile("([0-9]+(?:\\.[0-9]+)?(?:ms|s|m|h|d))+");
    private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|s|m|h|d)");

    private Words() {}

    static Optional<Instant> instant(@Nullable String rfc3339) {
        try {
            return rfc3339 == null ? Optional.empty() : Optional.of(Instant.parse(rfc3339));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** As a status has it: 850ms, 4.4s, 2m5s, 1d2h. */
    static Optional<Duration> duration(@Nullable String written) {
        if (written == null || !WRITTEN.matcher(written).matches()) {
            return Optional.empty();
        }
        double ms = 0;
        Matcher part = PART.matcher(written);
        while (part.find()) {
            double n = Double.parseDouble(part.group(1));
            ms += n
                    * switch (part.group(2)) {
                        case "ms" -> 1;
                        case "s" -> 1000;
                        case "m" -> 60_000;
                        case "h" -> 3_600_000;
                        default -> 86_400_000;
                    };
        }
        return Optional.of(Duration.ofMillis(Math.round(ms)));
    }

    static Optional<Duration> between(@Nullable String from, @Nullable String to) {
        return instant(from).flatMap(f -> instant(to).map(t -> Duration.between(f, t)));
    }

    static double seconds(Duration d) {
        return d.toMillis() / 1000.0;
    }

    /** IN_PROGRESS_ON -> InProgressOn: as the API writes it. */
    static String of(Enum<?> constant) {
        return Arrays.stream(constant.name().split("_", -1))
                .map(w -> w.charAt(0) + w.substring(1).toLowerCase(java.util.Locale.ROOT))
                .collect(Collectors.joining());
    }
}

package dev.datachecksums.operator.decide;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.WindowSpec;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maintenance windows: a cron schedule opens one, its duration closes it. */
final class Windows {

    private static final CronParser PARSER = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    private Windows() {}

    /** Whether a window is open, and when it ends or the next begins. */
    sealed interface State {
        /** Open until then; {@link Instant#MAX} where there is no window. */
        record Open(Instant until) implements State {
            /** Whether an outage that begins now is over before the window closes. */
            boolean fits(Instant now, Duration outage) {
                return until.equals(Instant.MAX) || !now.plus(outage).isAfter(until);
            }
        }

        /** Closed; empty where the schedule never comes again. */
        record Closed(Optional<Instant> opens) implements State {}

        /** The schedule or the time zone cannot be read. */
        record Invalid(String message) implements State {}
    }

    static State at(@Nullable WindowSpec window, Instant now) {
        if (window == null) {
            return new State.Open(Instant.MAX);
        }
        ZoneId zone;
        try {
            zone = ZoneId.of(window.timeZone());
        } catch (DateTimeException e) {
            return new State.Invalid("policy.window.timeZone " + window.timeZone()
                    + " is no time zone: use an IANA name such as Europe/Berlin");
        }
        Duration length;
        try {
            length = Durations.parse(window.duration());
        } catch (IllegalArgumentException e) {
            return new State.Invalid(
                    "policy.window.duration " + window.duration() + " is no duration: use one such as 3h or 90m");
        }
        try {
            return at(ExecutionTime.forCron(PARSER.parse(window.schedule())), length, now.atZone(zone));
        } catch (IllegalArgumentException e) {
            return new State.Invalid(
                    "policy.window.schedule " + window.schedule()
                            + " is no cron schedule: use five fields, minute hour day-of-month month day-of-week, such as 0 2 * * 6");
        }
    }

    private static State at(ExecutionTime times, Duration length, ZonedDateTime now) {
        // Looks strictly before its argument, and schedules know whole minutes: the opening moment itself counts as
        // open.
        Optional<ZonedDateTime> opened =
                times.lastExecution(now.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1));
        if (opened.isPresent() && now.isBefore(opened.get().plus(length))) {
            return new State.Open(opened.get().plus(length).toInstant());
        }
        return new State.Closed(times.nextExecution(now).map(ZonedDateTime::toInstant));
    }
}

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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maintenance windows: a cron schedule opens one, its duration closes it. */
final class Windows {

    private static final CronParser PARSER = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    private Windows() {}

    /** Whether a window is open, and when it ends or the next begins. */
    sealed interface State {
        /** Open until then; {@link Instant#MAX} where there is no window. */
        record Open(Instant until) implements State {}

        /** Closed; empty where the schedule never comes again. */
        record Closed(Optional<Instant> opens) implements State {}

        /** The schedule or the time zone cannot be read. */
        record Invalid(String message) implements State {}
    }

    static State at(@Nullable WindowSpec window, Instant now) {
        if (window == null) {
            return new State.Open(Instant.MAX);
        }
        try {
            ZonedDateTime here = now.atZone(ZoneId.of(window.timeZone()));
            ExecutionTime times = ExecutionTime.forCron(PARSER.parse(window.schedule()));
            Duration length = Durations.parse(window.duration());
            // lastExecution looks strictly before its argument: the opening moment itself counts as open.
            Optional<ZonedDateTime> opened = times.lastExecution(here.plusSeconds(1));
            if (opened.isPresent() && here.isBefore(opened.get().plus(length))) {
                return new State.Open(opened.get().plus(length).toInstant());
            }
            return new State.Closed(times.nextExecution(here).map(ZonedDateTime::toInstant));
        } catch (DateTimeException e) {
            return new State.Invalid("policy.window.timeZone " + window.timeZone()
                    + " is no time zone: use an IANA name such as Europe/Berlin");
        } catch (IllegalArgumentException e) {
            return new State.Invalid(
                    "policy.window.schedule " + window.schedule()
                            + " is no cron schedule: use five fields, minute hour day-of-month month day-of-week, such as 0 2 * * 6");
        }
    }
}

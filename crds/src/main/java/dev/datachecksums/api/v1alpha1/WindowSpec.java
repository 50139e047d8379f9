package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** A maintenance window that opens by a cron schedule. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
        value = "self.schedule.matches('^[-0-9A-Za-z*/,?#]+( +[-0-9A-Za-z*/,?#]+){4}$')",
        message = "window.schedule must have five cron fields: minute hour day-of-month month day-of-week,"
                + " such as 0 2 * * 6")
@ValidationRule(
        value = "duration(self.duration) >= duration('1m') && duration(self.duration) <= duration('168h')",
        message = "window.duration must be between 1m and 168h")
public record WindowSpec(
        @JsonPropertyDescription(
                "When the window opens: five cron fields, minute hour day-of-month month day-of-week, such as 0 2 * *"
                        + " 6.")
        @Required
        @Size(max = 100)
        String schedule,

        @JsonPropertyDescription("How long it stays open, such as 3h.")
        @Required
        @Size(max = 32)
        @Pattern(Durations.PATTERN)
        String duration,

        @JsonPropertyDescription("Time zone of the schedule, by its IANA name, such as Europe/Berlin.")
        @Default("\"Etc/UTC\"")
        @Size(max = 64)
        @Pattern("^[A-Za-z0-9_+/-]+$")
        String timeZone,

        @JsonPropertyDescription(
                "What the window governs of a TemporaryStandby. Switch: the one restart with its outage; the copy is"
                        + " made and converted before, at offline.maxCopyRate, so that it is ready when the window opens."
                        + " Conversion: the copy too. Other roads begin inside of the window either way.")
        @Default("\"Switch\"")
        WindowScope appliesTo) {

    /** Fills the CRD's defaults. */
    public WindowSpec {
        timeZone = timeZone == null ? "Etc/UTC" : timeZone;
        appliesTo = appliesTo == null ? WindowScope.SWITCH : appliesTo;
    }

    /** A window that governs the switch. */
    public WindowSpec(String schedule, String duration, String timeZone) {
        this(schedule, duration, timeZone, WindowScope.SWITCH);
    }
}

package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.WindowScope;
import dev.datachecksums.api.v1alpha1.WindowSpec;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The road of the TemporaryStandby, before anything is under way: when it begins, and its beginning. */
final class StandbyRoad {

    /** Ready that long before a window opens, at least: an estimate may be wrong by a lot. */
    private static final Duration EARLY = Duration.ofHours(1);

    private StandbyRoad() {}

    /** When a copy is begun that shall be ready when a window opens; empty where all of it belongs into the window. */
    static Optional<Instant> begins(Observation o, Plan plan, Instant opens) {
        WindowSpec window = o.spec().policy().window();
        boolean early = plan.method() == ConversionMethod.TEMPORARY_STANDBY
                && window != null
                && window.appliesTo() == WindowScope.SWITCH;
        Duration lead = plan.work().multipliedBy(2);
        return early ? Optional.of(opens.minus(lead.compareTo(EARLY) < 0 ? EARLY : lead)) : Optional.empty();
    }

    /** What has to be over before a window closes. A copy that governs only the switch may be made in one window and take over in the next. */
    static Duration inWindow(Observation o, Plan plan) {
        WindowSpec window = o.spec().policy().window();
        return plan.method() == ConversionMethod.TEMPORARY_STANDBY
                        && window != null
                        && window.appliesTo() == WindowScope.CONVERSION
                ? plan.work()
                : plan.inWindow();
    }

    /** A copy that could never take over is not begun. */
    static boolean neverFits(Observation o, Plan plan) {
        WindowSpec window = o.spec().policy().window();
        return plan.method() == ConversionMethod.TEMPORARY_STANDBY
                && window != null
                && Durations.parse(window.duration()).compareTo(inWindow(o, plan)) < 0;
    }

    static Verdict begin(Observation o, Plan plan) {
        return AtRest.beginOffline(
                o,
                plan,
                JobNames.standby(o.resource().name(), o.resource().uid(), o.at()),
                "a Job is started beside the server to copy its data directory and to convert the copy; the server goes"
                        + " on serving");
    }
}

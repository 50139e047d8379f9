package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.api.v1alpha1.ObservedState;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Plans a conversion: the road, why, and what it will cost. Pure. */
public final class Planner {

    /**
     * Bytes per second that pg_checksums is taken to do where this volume was not measured yet: a network volume's
     * rate, so that the estimate of an outage errs on the long side.
     */
    static final long ASSUMED_RATE = 150L << 20;
    /** What a pod's restart takes at the client: 2 to 3.7 s were measured on a real cluster. */
    static final Duration RESTART = Duration.ofSeconds(3);
    /** pg_checksums --disable writes the control file only, whatever the size. */
    static final Duration CONTROL_FILE_ONLY = Duration.ofMillis(100);
    /** Work longer than this outlasts the pod's return, so that the pod has to be held. */
    static final Duration HOLD_ABOVE = Duration.ofMillis(500);
    /** Less work than this says nothing about a rate: the restart's time drowns it. */
    private static final long TELLING = 1L << 30;
    /** And so does a shorter time. */
    private static final Duration TELLING_TIME = Duration.ofSeconds(1);

    private static final long SLOWEST_RATE = 1L << 20;

    /** The offline plan for the declared state. Without a known size the pod is held, and the estimates are only the restart's. */
    public Plan offline(Observation o, ServerFacts server) {
        DesiredState to = o.spec().state();
        Optional<Long> bytes = server.totalBytes().value();
        Duration work = work(to, bytes.orElse(0L), o.status().lastConversion());
        boolean hold = hold(to, bytes.orElse(null), o.status().lastConversion());
        return new Plan(
                ConversionMethod.IN_PLACE,
                to,
                why(o, server, hold),
                bytes.orElse(0L),
                work,
                work.plus(RESTART),
                hold,
                Optional.empty());
    }

    /** Estimated time of pg_checksums. */
    static Duration work(DesiredState to, long bytes, @Nullable LastConversion last) {
        if (to == DesiredState.DISABLED) {
            return CONTROL_FILE_ONLY;
        }
        long rate = rate(last);
        return Duration.ofSeconds(bytes / rate).plusMillis(bytes % rate * 1000 / rate);
    }

    /** Whether the pod is held while pg_checksums works: in doubt it is. */
    static boolean hold(DesiredState to, @Nullable Long bytes, @Nullable LastConversion last) {
        return to == DesiredState.ENABLED
                && (bytes == null || work(to, bytes, last).compareTo(HOLD_ABOVE) > 0);
    }

    /** What this volume did last time is the better guess, if it went through all of the data and that was enough to tell. */
    private static long rate(@Nullable LastConversion last) {
        if (last == null
                || last.to() != ObservedState.ON
                || last.method() != ConversionMethod.IN_PLACE
                || last.bytes() == null
                || last.bytes() < TELLING
                || last.outage() == null) {
            return ASSUMED_RATE;
        }
        try {
            long ms = Durations.read(last.outage()).minus(RESTART).toMillis();
            return ms < TELLING_TIME.toMillis() ? ASSUMED_RATE : Math.max(SLOWEST_RATE, last.bytes() / ms * 1000);
        } catch (IllegalArgumentException e) {
            return ASSUMED_RATE;
        }
    }

    private static String why(Observation o, ServerFacts server, boolean hold) {
        String road = o.spec().state() == DesiredState.DISABLED
                ? "pg_checksums --disable on the stopped data directory: it changes the control file only, so the outage is that of a restart"
                : "pg_checksums --enable on the stopped data directory" + (hold ? ", while the pod is held" : "");
        if (o.spec().policy().method() == Method.OFFLINE) {
            return road + " (policy.method is Offline)";
        }
        return server.onlineFunctions()
                ? road
                : road + "; not online, because PostgreSQL " + server.serverVersion()
                        + " has no function pg_enable_data_checksums()";
    }
}

package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.Method;
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

    /** The offline plan for the declared state. */
    Plan offline(Observation o, ServerFacts server) {
        DesiredState to = o.spec().state();
        long bytes = server.totalBytes().value().orElse(0L);
        Duration work = work(to, bytes, o.status().lastConversion());
        return new Plan(
                ConversionMethod.IN_PLACE,
                to,
                why(o, server),
                bytes,
                work,
                work.plus(RESTART),
                hold(work),
                Optional.empty());
    }

    /** Estimated time of pg_checksums. */
    static Duration work(DesiredState to, long bytes, @Nullable LastConversion last) {
        if (to == DesiredState.DISABLED) {
            return CONTROL_FILE_ONLY;
        }
        return Duration.ofMillis(bytes * 1000 / rate(last));
    }

    /** Whether the pod is held while pg_checksums works. */
    static boolean hold(DesiredState to, long bytes) {
        return hold(work(to, bytes, null));
    }

    private static boolean hold(Duration work) {
        return work.compareTo(HOLD_ABOVE) > 0;
    }

    private static long rate(@Nullable LastConversion last) {
        // What this volume did last time is the better guess, if it was enough work to tell.
        if (last == null || last.bytes() == null || last.outage() == null || last.bytes() < (1L << 30)) {
            return ASSUMED_RATE;
        }
        try {
            Duration outage = Durations.parse(last.outage()).minus(RESTART);
            return outage.toMillis() <= 0 ? ASSUMED_RATE : Math.max(1 << 20, last.bytes() * 1000 / outage.toMillis());
        } catch (IllegalArgumentException e) {
            return ASSUMED_RATE;
        }
    }

    private static String why(Observation o, ServerFacts server) {
        String road = o.spec().state() == DesiredState.DISABLED
                ? "pg_checksums --disable on the stopped data directory: it changes the control file only, so the outage is that of a restart"
                : "pg_checksums --enable on the stopped data directory, while the pod is held";
        if (o.spec().policy().method() == Method.OFFLINE) {
            return road + " (policy.method is Offline)";
        }
        return server.onlineFunctions()
                ? road
                : road + "; not online, because PostgreSQL " + server.serverVersion()
                        + " has no function pg_enable_data_checksums()";
    }
}

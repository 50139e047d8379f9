package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.api.v1alpha1.ObservedState;
import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.standby.StandbyFacts;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.util.List;
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
    /** The kubelet's wait before a container's second start; a third one waits twice as long, and so on. */
    static final Duration BACK_OFF = Duration.ofSeconds(10);
    /**
     * Where the pod cannot be held its container is started again while pg_checksums works, and longer and longer after each time
     * that it has met the interlock: work that is longer than this is not done so.
     */
    static final Duration UNHELD_AT_MOST = Duration.ofSeconds(2);
    /** Less work than this says nothing about a rate: the restart's time drowns it. */
    private static final long TELLING = 1L << 30;
    /** And so does a shorter time. */
    private static final Duration TELLING_TIME = Duration.ofSeconds(1);

    private static final long SLOWEST_RATE = 1L << 20;
    /** A copy is worth its space and its reading and writing where it saves more outage than this. */
    static final Duration WORTH_A_COPY = Duration.ofSeconds(10);
    /** To recover the copy, and to follow the server up to the switch. */
    private static final Duration FOLLOWING = Duration.ofSeconds(10);

    private final List<Check> standby;

    /** With what a copy has to pass. */
    public Planner(List<Check> standby) {
        this.standby = List.copyOf(standby);
    }

    /** Whether a copy is made, and why, or why not. */
    private record Choice(boolean copy, String why) {}

    /** The offline plan for the declared state. Without a known size the pod is held, and the estimates are only the restart's. */
    public Plan offline(Observation o, ServerFacts server) {
        DesiredState to = o.spec().state();
        Optional<Long> bytes = server.totalBytes().value();
        Choice choice = choose(o, server);
        if (choice.copy()) {
            return copy(o, server, bytes.orElse(0L), choice.why());
        }
        Duration work = work(to, bytes.orElse(0L), o.status().lastConversion());
        boolean hold = o.holdable() && hold(to, bytes.orElse(null), o.status().lastConversion());
        boolean rolling = Nodes.several(o);
        return new Plan(
                rolling ? ConversionMethod.ROLLING : ConversionMethod.IN_PLACE,
                to,
                (rolling ? "one node after another, the standbys first and the primary last; each by " : "")
                        + why(o, server, hold)
                        + choice.why(),
                bytes.orElse(0L),
                work,
                work.plus(restart(o, work)),
                hold,
                Optional.empty());
    }

    private static Plan copy(Observation o, ServerFacts server, long bytes, String why) {
        long rate = Math.min(ASSUMED_RATE, copyRate(o).orElse(Long.MAX_VALUE));
        Duration work = Duration.ofSeconds(bytes / Math.max(1, rate) + bytes / ASSUMED_RATE)
                .plus(FOLLOWING);
        String road =
                "TemporaryStandby: a copy of the data directory is converted while the server serves, and takes its"
                        + " place at one restart";
        return new Plan(
                ConversionMethod.TEMPORARY_STANDBY,
                DesiredState.ENABLED,
                road + why + notOnline(o, server),
                bytes,
                work.plus(RESTART),
                restart(o, HOLD_ABOVE.plusMillis(1)),
                o.holdable(),
                Optional.empty());
    }

    /** policy.offline.maxCopyRate in bytes per second. */
    public static Optional<Long> copyRate(Observation o) {
        return Optional.ofNullable(o.spec().policy().offline().maxCopyRate())
                .map(r -> Quantity.getAmountInBytes(new Quantity(r)).longValue());
    }

    private Choice choose(Observation o, ServerFacts server) {
        if (Nodes.several(o)) {
            return new Choice(false, "; no TemporaryStandby, because there are several nodes");
        }
        OfflineStrategy strategy = o.spec().policy().offline().strategy();
        if (o.spec().state() == DesiredState.DISABLED) {
            return new Choice(
                    false, strategy == OfflineStrategy.TEMPORARY_STANDBY ? "; disabling is always InPlace" : "");
        }
        if (strategy == OfflineStrategy.IN_PLACE || strategy == OfflineStrategy.ROLLING) {
            return new Choice(false, "");
        }
        String room = CopyRoom.of(o).map(r -> " (" + r.words() + ")").orElse("");
        if (strategy == OfflineStrategy.TEMPORARY_STANDBY) {
            return new Choice(true, room + "; not InPlace, because policy.offline.strategy is TemporaryStandby");
        }
        Optional<Long> bytes = server.totalBytes().value();
        Duration saved = work(DesiredState.ENABLED, bytes.orElse(0L), o.status().lastConversion());
        boolean tooLong = saved.plus(RESTART)
                                .compareTo(Durations.parse(
                                        o.spec().policy().offline().maxOutage()))
                        > 0
                || unheld(o, saved);
        if (bytes.isEmpty() || (saved.compareTo(WORTH_A_COPY) <= 0 && !tooLong)) {
            return new Choice(
                    false,
                    bytes.isEmpty()
                            ? ""
                            : "; no TemporaryStandby, because it would save about " + Durations.format(saved)
                                    + " of outage only");
        }
        if (o.standby() instanceof Fact.Missing<StandbyFacts> m) {
            // What could not be asked this time is asked again; a long outage is not begun for want of an answer.
            return new Choice(!m.reason().equals(Observation.NOT_ASKED), "");
        }
        Optional<Finding> no =
                standby.stream().map(c -> c.examine(o)).filter(f -> !f.passed()).findFirst();
        return no.map(f -> new Choice(false, "; no TemporaryStandby, because of " + f.check() + ": " + f.words()))
                .orElseGet(() -> new Choice(
                        true,
                        room + "; not InPlace, which would take about " + Durations.format(saved) + " more of outage"));
    }

    /** Estimated time of pg_checksums. */
    static Duration work(DesiredState to, long bytes, @Nullable LastConversion last) {
        if (to == DesiredState.DISABLED) {
            return CONTROL_FILE_ONLY;
        }
        long rate = rate(last);
        return Duration.ofSeconds(bytes / rate).plusMillis(bytes % rate * 1000 / rate);
    }

    /** Whether the work would take too long for a pod that cannot be held meanwhile. */
    public static boolean unheld(Observation o, Duration work) {
        return !o.holdable() && work.compareTo(UNHELD_AT_MOST) > 0;
    }

    /** What a restart takes around such work: in place, the first start may come too soon. */
    private static Duration restart(Observation o, Duration work) {
        return o.holdable() || work.compareTo(HOLD_ABOVE) <= 0 ? RESTART : RESTART.plus(BACK_OFF);
    }

    /** Whether the conversion's pod is held from its stop on. */
    static boolean holds(Observation o, ConversionStatus c) {
        // The exchange of a copy is done before the pod has gone; held, the next one cannot meet the interlock if it is
        // not.
        return o.holdable() && (Copy.of(c) || hold(c.to(), c.bytes(), o.status().lastConversion()));
    }

    /** Whether the conversion's next pod is made while the work goes on: one that has met the interlock is no fault then. */
    public static boolean replaces(Observation o, ConversionStatus c) {
        return o.holdable() && !holds(o, c);
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
                || (last.method() != ConversionMethod.IN_PLACE && last.method() != ConversionMethod.ROLLING)
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
                ? "pg_checksums --disable on the stopped data directory: it changes the control file only, so the"
                        + " outage is that of a restart"
                : "pg_checksums --enable on the stopped data directory" + (hold ? ", while the pod is held" : "");
        if (!o.holdable()) {
            road +=
                    "; the pod stays, as its controller would make the next one at once, and its container is restarted";
        }
        return road + notOnline(o, server);
    }

    private static String notOnline(Observation o, ServerFacts server) {
        if (o.spec().policy().method() == Method.OFFLINE) {
            return " (policy.method is Offline)";
        }
        return server.onlineFunctions()
                ? ""
                : "; not online, because PostgreSQL " + server.serverVersion()
                        + " has no function pg_enable_data_checksums()";
    }
}

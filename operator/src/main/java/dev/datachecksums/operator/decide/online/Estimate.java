package dev.datachecksums.operator.decide.online;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.postgres.online.OnlineFacts.Costs;
import dev.datachecksums.operator.postgres.online.Throttle;
import java.time.Duration;
import java.util.Optional;

/**
 * What a run will cost.
 *
 * @param duration at its throttle
 * @param walBytes that it writes
 * @param tooLong whether the throttle makes days of it
 */
public record Estimate(Duration duration, long walBytes, boolean tooLong) {
    /** Bytes per second taken to be gone through unthrottled where nothing was measured: a network volume's rate, pages twice. */
    static final long ASSUMED_RATE = 100L << 20;
    /** Two barriers and two checkpoints; most of it is the checkpoint's writing. */
    static final Duration DISABLE = Duration.ofSeconds(2);

    /**
     * The estimate.
     *
     * @param measured bytes per second that were measured unthrottled on this server, if any
     */
    public static Estimate of(DesiredState to, long bytes, Throttle throttle, Costs costs, Optional<Long> measured) {
        if (to == DesiredState.DISABLED) {
            return new Estimate(DISABLE, 0, false);
        }
        long free = Math.max(1, measured.orElse(ASSUMED_RATE));
        long rate = Math.min(free, Throttles.ceiling(throttle, costs).orElse(free));
        Duration duration = time(bytes, rate);
        return new Estimate(duration, bytes, !throttle.unthrottled() && duration.compareTo(WaitingOn.TOO_LONG) > 0);
    }

    /** Time to the end of a run: at the rate of late, which a throttle that was tightened since caps. */
    public static Optional<Duration> left(ClusterProgress p, Optional<Long> rate, Throttle throttle, Costs costs) {
        long ceiling = Throttles.ceiling(throttle, costs).orElse(Long.MAX_VALUE);
        long goes = Math.min(ceiling, rate.filter(r -> r > 0).orElse(ceiling));
        return goes == Long.MAX_VALUE ? Optional.empty() : Optional.of(time(p.bytesLeft(), goes));
    }

    private static Duration time(long bytes, long rate) {
        return Duration.ofSeconds(bytes / rate).plusMillis(bytes % rate * 1000 / rate);
    }

    /** The estimate in words, for a plan. */
    public String words(Throttle throttle) {
        String at = throttle.unthrottled() ? "" : " at " + throttle;
        return tooLong
                ? "it takes " + Words.duration(duration) + at
                        + ": raise policy.online.costLimit or lower costDelay unless that is meant"
                : "it takes about " + Words.duration(duration) + at;
    }
}

package dev.datachecksums.operator.decide.online;

import dev.datachecksums.operator.postgres.online.OnlineFacts;
import dev.datachecksums.operator.postgres.online.Replica;
import dev.datachecksums.operator.postgres.online.Throttle;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Another throttle for a run under way.
 *
 * @param asked the spec's, which it follows from
 * @param throttle to pass on
 * @param reason one CamelCase word: Retuned, ThrottleTightened or ThrottleRelaxed
 */
public record Adaptation(Throttle asked, Throttle throttle, String reason, String message) {
    /** A step holds from the next relation only, and what it does to the lag takes a while to show: one at a time. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    /**
     * What to change, if anything.
     *
     * @param asked by the spec now
     * @param maxLag beyond which replicas shall not fall behind, in bytes; null: not looked at
     */
    public static Optional<Adaptation> of(
            OnlineFacts f, Run run, Throttle asked, @Nullable Long maxLag, Optional<Long> rate, Instant now) {
        if (!asked.equals(run.asked())) {
            return Optional.of(new Adaptation(
                    asked,
                    asked,
                    "Retuned",
                    "the spec asks for another throttle: " + asked + ", from the next relation on"));
        }
        if (run.tuned() != null && now.isBefore(run.tuned().plus(PATIENCE))) {
            return Optional.empty();
        }
        Optional<Replica> last = f.replicas().stream()
                .filter(r -> !r.backup() && r.lagBytes() != null)
                .max(Comparator.comparing(r -> Objects.requireNonNull(r.lagBytes())));
        long lag = last.map(Replica::lagBytes).orElse(0L);
        if (maxLag != null && lag > maxLag) {
            return Throttles.tighter(run.throttle(), rate, f.costs())
                    .map(t -> new Adaptation(
                            asked,
                            t,
                            "ThrottleTightened",
                            "replica " + last.map(Replica::application).orElse("") + " is "
                                    + Words.bytes(lag) + " behind, more than maxReplicaLag (" + Words.bytes(maxLag)
                                    + "): " + t
                                    + ", from the next relation on"));
        }
        boolean caughtUp = maxLag == null || lag <= maxLag / 2;
        if (!run.throttle().equals(asked) && caughtUp) {
            Throttle t = Throttles.relaxed(run.throttle(), asked, f.costs());
            return Optional.of(new Adaptation(
                    asked, t, "ThrottleRelaxed", "the replicas have caught up: " + t + ", from the next relation on"));
        }
        return Optional.empty();
    }
}

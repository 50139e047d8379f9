package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.operator.observe.Observation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The failed tries of this generation of the spec. A change of the spec starts anew. */
final class Attempts {

    /** The wait after the first try that did not succeed; doubled by each further failure. */
    static final Duration FIRST_BACKOFF = Duration.ofSeconds(10);
    /** The longest. */
    static final Duration LONGEST_BACKOFF = Duration.ofMinutes(10);

    private static final AttemptsStatus NONE = new AttemptsStatus(0, null, null, null, null);

    private Attempts() {}

    static AttemptsStatus of(Observation o) {
        AttemptsStatus a = o.status().attempts();
        return a == null
                        || a.generation() == null
                        || a.generation() != o.resource().generation()
                ? NONE
                : a;
    }

    static int count(AttemptsStatus a) {
        return a.count() == null ? 0 : a.count();
    }

    /**
     * What is remembered once a try has been given up: a failure counts; what was nobody's failure only makes the next
     * try wait, so that a gate that flaps does not make Jobs by the second; what the user asked for leaves no trace.
     */
    static @Nullable AttemptsStatus after(Observation o, GivingUp why) {
        if (why.asked()) {
            return o.status().attempts();
        }
        return new AttemptsStatus(
                count(of(o)) + (why.counts() ? 1 : 0),
                why.reason(),
                why.message(),
                Times.seconds(o.at()),
                o.resource().generation());
    }

    /** When the next try may begin: 10 s after the last one, doubled by each failure from the second on, at most 10 min. */
    static Optional<Instant> notBefore(AttemptsStatus a, Instant at) {
        // A last try in the future: the clock was set back since, perhaps by years.
        if (a.lastTime() == null || Times.parse(a.lastTime()).isAfter(at)) {
            return Optional.empty();
        }
        int doublings = Math.max(0, Math.min(10, count(a) - 1));
        Duration wait = FIRST_BACKOFF.multipliedBy(1L << doublings);
        return Optional.of(
                Times.parse(a.lastTime()).plus(wait.compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : wait));
    }
}

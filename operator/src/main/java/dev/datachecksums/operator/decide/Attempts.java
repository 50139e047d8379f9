package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.operator.observe.Observation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The failed tries of this generation of the spec. A change of the spec starts anew. */
final class Attempts {

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

    /** When the next try may begin: 10 s after the first failure, doubled by each, at most 10 min. */
    static Optional<Instant> notBefore(AttemptsStatus a) {
        if (count(a) == 0 || a.lastTime() == null) {
            return Optional.empty();
        }
        Duration wait = AtRest.FIRST_BACKOFF.multipliedBy(1L << Math.min(10, count(a) - 1));
        return Optional.of(Instant.parse(a.lastTime())
                .plus(wait.compareTo(AtRest.LONGEST_BACKOFF) > 0 ? AtRest.LONGEST_BACKOFF : wait));
    }
}

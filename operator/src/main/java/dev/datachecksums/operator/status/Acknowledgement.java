package dev.datachecksums.operator.status;

import dev.datachecksums.operator.observe.Observation;
import java.time.Instant;
import java.util.Optional;

/** A person's word that something was dealt with: an annotation whose value is a time. */
record Acknowledgement(String annotation, Optional<String> text) {

    static Acknowledgement of(Observation o, String annotation) {
        return new Acknowledgement(
                annotation, Optional.ofNullable(o.resource().annotations().get(annotation)));
    }

    /** Whether it was given for what happened then, at the latest. */
    boolean covers(Optional<Instant> happened) {
        return text.flatMap(Times::instant)
                .filter(t -> happened.map(h -> !t.isBefore(h)).orElse(true))
                .isPresent();
    }

    /** Empty, or what is wrong with it. */
    String complaint() {
        return text.filter(t -> Times.instant(t).isEmpty())
                .map(t -> ". The annotation " + annotation + " is not a time such as 2026-11-30T20:00:00Z")
                .orElse("");
    }
}

package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.standby.StandbyFacts;

/** A check of what a copy would need: it passes where that could not be seen, {@link StandbyFactsKnown} has said so. */
interface StandbyCheck extends Check {

    /** Looks at what a copy needs. */
    Finding examine(Observation o, StandbyFacts facts);

    @Override
    default Finding examine(Observation o) {
        return o.standby().seen().map(f -> examine(o, f)).orElseGet(this::pass);
    }

    /** A question that the server left open: it may answer the next time, and until then nothing is begun. */
    default Finding open(String question, Answer<?> answer) {
        return waitFor(
                question + " is not known: " + answer.whyAbsent().orElse("no reason given"),
                "It is asked again; see the server's log if this stays, or set policy.offline.strategy to InPlace");
    }
}

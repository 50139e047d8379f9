package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.standby.StandbyFacts;

/** Whether the server could be asked what a copy of it needs. */
final class StandbyFactsKnown implements Check {

    @Override
    public String name() {
        return "StandbyFactsKnown";
    }

    @Override
    public Finding examine(Observation o) {
        return o.standby() instanceof Fact.Missing<StandbyFacts> m
                        && !m.reason().equals(Observation.NOT_ASKED)
                ? waitFor("What a copy of the server needs is not known: " + m.message(), "It is asked again")
                : pass();
    }
}

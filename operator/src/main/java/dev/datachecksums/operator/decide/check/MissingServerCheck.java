package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.util.Set;

/** A check that says no to a server that could not be asked for certain reasons: the message comes with the reason. */
interface MissingServerCheck extends Check {

    /** The reasons that this check answers for. */
    Set<String> reasons();

    /** What to answer; no, where nothing better is known. */
    default Finding missing(Observation o, Fact.Missing<ServerFacts> m) {
        return block(m.message(), m.remedy());
    }

    @Override
    default Finding examine(Observation o) {
        return o.server() instanceof Fact.Missing<ServerFacts> m && reasons().contains(m.reason())
                ? missing(o, m)
                : pass();
    }
}

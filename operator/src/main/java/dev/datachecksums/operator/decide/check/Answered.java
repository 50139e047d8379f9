package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;

/** Whether the server answered at all: the last of its chain, for every reason that no other check knows. */
final class Answered implements Check {

    @Override
    public String name() {
        return "Answered";
    }

    @Override
    public Finding examine(Observation o) {
        if (!(o.server() instanceof Fact.Missing<ServerFacts> m)) {
            return pass();
        }
        // Nobody was asked because a conversion has just ended: the next look asks.
        return m.reason().equals(Observation.STOPPED) || m.reason().equals("ApiUnavailable")
                ? waitFor(m.message(), m.remedy())
                : block(m.message(), m.remedy());
    }
}

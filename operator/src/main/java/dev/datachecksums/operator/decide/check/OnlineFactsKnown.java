package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.OnlineView;

/** Whether the server said what an online conversion has to be judged by. Of a role that is no superuser another check says it. */
final class OnlineFactsKnown implements Check {

    @Override
    public String name() {
        return "OnlineFactsKnown";
    }

    @Override
    public Finding examine(Observation o) {
        boolean superuser = o.server().seen().filter(s -> s.superuser()).isPresent();
        return superuser && o.online() instanceof Fact.Missing<OnlineView> m
                ? waitFor(
                        "What the server would do online is not known: " + m.message(),
                        "It is asked again; see the server's log if this stays")
                : pass();
    }
}

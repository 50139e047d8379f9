package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.Nodes;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;

/** Whether it is a primary: a standby follows what its primary has. */
final class NotInRecovery implements ServerCheck {

    @Override
    public String name() {
        return "NotInRecovery";
    }

    @Override
    public Finding examine(Observation o, ServerFacts server) {
        return server.inRecovery() && !Nodes.standby(o)
                ? block(
                        "The server is a standby, or still recovers: only a primary is converted",
                        "Let connection.host lead to the primary")
                : pass();
    }
}

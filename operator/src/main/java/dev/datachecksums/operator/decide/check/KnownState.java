package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerFacts;

/** Whether the server's state is one that this operator knows. Those in between are: it goes on from there. */
final class KnownState implements ServerCheck {

    @Override
    public String name() {
        return "KnownState";
    }

    @Override
    public Finding examine(Observation o, ServerFacts server) {
        return server.checksums() == ChecksumState.UNKNOWN
                ? block(
                        "The server shows a data_checksums that this operator does not know",
                        "Use a release of the operator that knows PostgreSQL " + server.serverVersion())
                : pass();
    }
}

package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;

/** Whether the checksums are on or off: in between, something else is at work or has been aborted. */
final class SettledState implements ServerCheck {

    @Override
    public String name() {
        return "SettledState";
    }

    @Override
    public Finding examine(Observation o, ServerFacts server) {
        return switch (server.checksums()) {
            case ON, OFF -> pass();
            case INPROGRESS_ON, INPROGRESS_OFF ->
                block(
                        "The server says that its checksums are being switched: somebody has called its functions",
                        "Wait for its end (pg_stat_progress_data_checksums). If nothing runs there, the run was aborted: SELECT pg_disable_data_checksums()");
            case UNKNOWN ->
                block(
                        "The server shows a data_checksums that this operator does not know",
                        "Use a release of the operator that knows PostgreSQL " + server.serverVersion());
        };
    }
}

package dev.datachecksums.operator.decide.check;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;

/** Whether damage would be reported: with ignore_checksum_failure it is passed over, and checksums are worth nothing. */
final class IgnoreChecksumFailure implements ServerCheck {

    @Override
    public String name() {
        return "IgnoreChecksumFailure";
    }

    @Override
    public Finding examine(Observation o, ServerFacts server) {
        return server.ignoreChecksumFailure() && o.spec().state() == DesiredState.ENABLED
                ? block(
                        "ignore_checksum_failure is on: the server would go on with damaged pages, and whoever set it may be rescuing data",
                        "When that is done: ALTER SYSTEM RESET ignore_checksum_failure; SELECT pg_reload_conf()")
                : pass();
    }
}

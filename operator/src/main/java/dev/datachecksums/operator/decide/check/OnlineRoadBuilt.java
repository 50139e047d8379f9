package dev.datachecksums.operator.decide.check;

import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;

/** For as long as this release does not carry out the online road: a server that has the functions goes offline or waits. */
final class OnlineRoadBuilt implements ServerCheck {

    @Override
    public String name() {
        return "OnlineRoadBuilt";
    }

    @Override
    public Finding examine(Observation o, ServerFacts server) {
        return o.spec().policy().method() == Method.ONLINE && server.onlineFunctions()
                ? block(
                        "policy.method is Online, and this release of the operator does not convert online yet",
                        "Set policy.method to PreferOnline or Offline, or call pg_enable_data_checksums() or pg_disable_data_checksums() yourself")
                : pass();
    }
}

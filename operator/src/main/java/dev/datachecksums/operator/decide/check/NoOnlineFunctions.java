package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;

/** Whether the server leaves the state of its checksums out of its WAL: with it, replay would switch a copy back off. */
final class NoOnlineFunctions implements ServerCheck {

    @Override
    public String name() {
        return "NoOnlineFunctions";
    }

    @Override
    public Finding examine(Observation o, ServerFacts server) {
        return server.onlineFunctions()
                ? block(
                        "PostgreSQL " + server.serverVersion()
                                + " converts online and writes the state of its checksums into its WAL, which would"
                                + " switch a converted copy off again",
                        "Set policy.method to PreferOnline, or policy.offline.strategy to InPlace")
                : pass();
    }
}

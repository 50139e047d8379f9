package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;

/** Whether standbys follow: each keeps its own state, and pg_rewind between differing ones destroys a server. */
final class ReplicasKnown implements ServerCheck {

    @Override
    public String name() {
        return "ReplicasKnown";
    }

    @Override
    public Finding examine(Observation o, ServerFacts server) {
        if (server.streamingStandbys().whyAbsent().isPresent()) {
            return unanswered(
                    server,
                    "Whether standbys follow",
                    server.streamingStandbys().whyAbsent().get());
        }
        int standbys = server.streamingStandbys().value().orElse(0);
        return standbys == 0
                ? pass()
                : block(
                        standbys + (standbys == 1 ? " standby streams" : " standbys stream")
                                + " from this server and would keep the other state: the cluster would be half converted, and pg_rewind between the two states ruins a server",
                        "Stop the standbys for the conversion and make them anew from the converted server, or wait for a release that converts replicas");
    }
}

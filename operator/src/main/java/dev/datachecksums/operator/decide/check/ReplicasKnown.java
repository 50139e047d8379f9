package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.Nodes;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;

/**
 * Whether the standbys that follow are the workload's own, and all of them do: each keeps its own state, and pg_rewind between
 * differing ones destroys a server. One that is behind is not left for the next while it catches up.
 */
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
        int own = server.inRecovery() ? 0 : Math.max(0, Nodes.of(o).size() - 1);
        if (own > 0 && server.onlineFunctions()) {
            return block(
                    "A standby of PostgreSQL " + server.serverVersion()
                            + " takes its primary's state, so that none can be converted offline by itself",
                    "Set policy.method to PreferOnline or Online");
        }
        if (standbys < own) {
            return waitFor(
                    "Only " + standbys + " of " + own + " standbys stream from the primary",
                    "If it stays so, see the standby's log");
        }
        return standbys == own
                ? pass()
                : block(
                        (standbys - own) + (standbys - own == 1 ? " standby streams" : " standbys stream")
                                + " from this server that the workload does not have, and would keep the other state: the cluster would be half converted, and pg_rewind between the two states ruins a server",
                        "Stop those standbys for the conversion and make them anew from the converted server");
    }
}

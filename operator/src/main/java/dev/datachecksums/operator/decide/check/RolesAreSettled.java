package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.Nodes;
import dev.datachecksums.operator.instance.WorkloadFacts.Node;
import dev.datachecksums.operator.observe.Observation;
import java.util.Optional;

/** Whether nobody makes another node the primary while one is stopped: of differing states, a rewound server is lost. */
final class RolesAreSettled implements Check {

    @Override
    public String name() {
        return "RolesAreSettled";
    }

    @Override
    public Finding examine(Observation o) {
        Optional<String> manager = Nodes.of(o).stream()
                .map(Node::manager)
                .flatMap(Optional::stream)
                .findFirst();
        return manager.map(
                        m -> block(
                                "Which node is the primary is decided by " + m
                                        + ": it would fail over while a node is stopped, and pg_rewind between differing states ruins a server",
                                "Convert it by that manager's own means (paused, all nodes stopped), or wait for a release that knows how to hold it off"))
                .orElseGet(this::pass);
    }
}

package dev.datachecksums.operator.status;

import dev.datachecksums.api.v1alpha1.NodeStatus;
import dev.datachecksums.api.v1alpha1.ObservedState;
import dev.datachecksums.operator.decide.Nodes;
import dev.datachecksums.operator.instance.WorkloadFacts.Node;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ChecksumState;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The nodes of an instance that has several. Pure. */
final class NodesReport {

    private NodesReport() {}

    /** Each node's own word; what one said before is not carried on, so that none is taken for what it may not be. */
    static @Nullable List<NodeStatus> of(Observation o) {
        if (o.workload().seen().isEmpty()) {
            return o.status().nodes();
        }
        List<NodeStatus> nodes = Nodes.of(o).stream().map(n -> status(o, n)).toList();
        return nodes.isEmpty() ? null : nodes;
    }

    private static NodeStatus status(Observation o, Node n) {
        String role = n.server()
                .seen()
                .map(s -> s.inRecovery() ? "Standby" : "Primary")
                .orElseGet(() -> before(o, n).map(NodeStatus::role).orElse(null));
        ObservedState state = n.server().seen().map(s -> word(s.checksums())).orElse(ObservedState.UNKNOWN);
        return new NodeStatus(n.name(), role, state);
    }

    private static Optional<NodeStatus> before(Observation o, Node n) {
        List<NodeStatus> nodes = o.status().nodes();
        return nodes == null
                ? Optional.empty()
                : nodes.stream().filter(b -> b.name().equals(n.name())).findFirst();
    }

    /** What all of them say; of differing ones the primary's word is reported, if there is one. */
    static Optional<ObservedState> state(Observation o) {
        List<Node> nodes = Nodes.of(o);
        List<ObservedState> said = nodes.stream()
                .flatMap(n -> n.server().seen().stream())
                .map(s -> word(s.checksums()))
                .toList();
        if (!nodes.isEmpty()
                && said.size() == nodes.size()
                && said.stream().distinct().count() == 1) {
            return Optional.of(said.get(0));
        }
        return Nodes.primary(o).flatMap(n -> n.server().seen()).map(s -> word(s.checksums()));
    }

    static ObservedState word(ChecksumState s) {
        return switch (s) {
            case ON -> ObservedState.ON;
            case OFF -> ObservedState.OFF;
            case INPROGRESS_ON -> ObservedState.IN_PROGRESS_ON;
            case INPROGRESS_OFF -> ObservedState.IN_PROGRESS_OFF;
            case UNKNOWN -> ObservedState.UNKNOWN;
        };
    }
}

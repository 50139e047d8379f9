package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.Nodes;
import dev.datachecksums.operator.instance.WorkloadFacts.Node;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether several pods are one primary and its standbys, and each of them answers. */
final class NodesKnown implements Check {

    @Override
    public String name() {
        return "NodesKnown";
    }

    @Override
    public Finding examine(Observation o) {
        List<Node> nodes = Nodes.of(o);
        if (nodes.isEmpty()) {
            return pass();
        }
        List<String> primaries =
                nodes.stream().filter(Node::primary).map(Node::name).toList();
        if (primaries.size() > 1) {
            return block(
                    "More than one of the pods takes writes: " + String.join(", ", primaries)
                            + "; what is converted is a primary and its standbys",
                    "If they are servers of their own, each needs a workload of its own; if not, see which is the primary");
        }
        Optional<String> silent = nodes.stream()
                .filter(n -> n.server() instanceof Fact.Missing<ServerFacts>)
                .map(n -> n.name() + ": " + ((Fact.Missing<ServerFacts>) n.server()).message())
                .reduce((a, b) -> a + "; " + b);
        if (silent.isPresent()) {
            return waitFor(
                    "Not every node answers, and each has a state of its own: " + silent.get(),
                    "If it stays so, see kubectl describe pod and the server's log");
        }
        ServerFacts first = nodes.get(0).server().seen().orElseThrow();
        String strangers = nodes.stream()
                .filter(n -> !Nodes.sameCluster(first, n.server().seen().orElseThrow()))
                .map(Node::name)
                .collect(Collectors.joining(", "));
        if (!strangers.isEmpty()) {
            return block(
                    "These do not belong to the cluster of " + nodes.get(0).name() + ": " + strangers,
                    "A workload of several pods has to be one primary and its standbys");
        }
        return primaries.isEmpty() ? waitFor("No node takes writes", "A primary is waited for") : pass();
    }
}

package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.Node;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** A workload of several nodes: a primary and its standbys, each with a state and a volume of its own. Pure. */
public final class Nodes {

    private Nodes() {}

    /** All of them; none where there is one, which is the whole then. */
    public static List<Node> of(Observation o) {
        return o.workload()
                .seen()
                .filter(WorkloadFacts::several)
                .map(WorkloadFacts::nodes)
                .orElse(List.of());
    }

    /** Whether there are several. */
    public static boolean several(Observation o) {
        return !of(o).isEmpty();
    }

    /**
     * Whether every node says, in this observation, that it has the state; also where there is one. While the workload cannot be
     * seen, one that had several had them just now.
     */
    public static boolean all(Observation o, DesiredState state) {
        if (o.workload().seen().isEmpty() && o.status().nodes() != null) {
            return false;
        }
        return of(o).stream()
                .allMatch(n -> n.server()
                        .seen()
                        .filter(s -> AtRest.is(s.checksums(), state))
                        .isPresent());
    }

    /** The observation from each node's point of view; the observation itself where there is one. */
    static List<Observation> views(Observation o) {
        List<Node> nodes = of(o);
        return nodes.isEmpty()
                ? List.of(o)
                : Stream.concat(
                                Stream.of(o),
                                nodes.stream()
                                        .filter(n -> n.server().seen().isPresent())
                                        .map(n -> o.of(n)))
                        .toList();
    }

    /** The only node that takes writes; none where none does, or more than one. */
    public static Optional<Node> primary(Observation o) {
        List<Node> primaries = of(o).stream().filter(Node::primary).toList();
        return primaries.size() == 1 ? Optional.of(primaries.get(0)) : Optional.empty();
    }

    /** Whether the server that is looked at is a standby of the one primary. */
    public static boolean standby(Observation o) {
        Optional<ServerFacts> server = o.server().seen();
        return server.isPresent()
                && server.get().inRecovery()
                && primary(o)
                        .flatMap(p -> p.server().seen())
                        .filter(p -> sameCluster(p, server.get()))
                        .isPresent();
    }

    /** Whether both say that they belong to one cluster. */
    public static boolean sameCluster(ServerFacts a, ServerFacts b) {
        return a.systemIdentifier().value().isPresent()
                && Objects.equals(
                        a.systemIdentifier().value(), b.systemIdentifier().value());
    }

    /** How many are as declared, in words; nothing where there is one. */
    static String words(Observation o, DesiredState state) {
        List<Node> nodes = of(o);
        long there = nodes.stream()
                .filter(n -> n.server()
                        .seen()
                        .filter(s -> AtRest.is(s.checksums(), state))
                        .isPresent())
                .count();
        return nodes.isEmpty() ? "" : " (" + there + " of " + nodes.size() + " nodes are as declared)";
    }

    /** Whether the pod that a conversion is about has gone and will not be made again: the workload wants fewer now. */
    static boolean scaledAway(Observation o, ConversionStatus c) {
        return c.pod() != null
                && o.workload()
                        .seen()
                        .filter(w -> !w.nodes().isEmpty()
                                && w.nodes().stream().noneMatch(n -> n.name().equals(c.pod())))
                        .isPresent();
    }
}

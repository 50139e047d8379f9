package dev.datachecksums.operator.observe;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.instance.WorkloadFacts.Node;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Of several nodes, the one that everything is about now. Nodes are converted one after another, so that at most one is
 * down: what a conversion was begun with until that has ended; then what is left of one; then the standbys, the last first,
 * whose state is not the declared one; and the primary in the end, when the others can go on serving. Pure.
 */
public final class Focus {

    private Focus() {}

    /**
     * The name of that node's pod.
     *
     * @param converting the pod that a conversion under way is about, if there is one
     */
    public static String of(List<Node> nodes, Optional<String> converting, DesiredState declared) {
        if (converting.isPresent()) {
            return converting.get();
        }
        Optional<Node> primary = nodes.stream().filter(Node::primary).findFirst();
        boolean online = primary.flatMap(p -> p.server().seen())
                .filter(ServerFacts::onlineFunctions)
                .isPresent();
        ChecksumState wanted = Observation.declared(declared);
        List<Node> lastFirst = new ArrayList<>(nodes);
        Collections.reverse(lastFirst);
        return first(lastFirst, Focus::hasRemains)
                // there, a standby follows its primary's state
                .or(() -> online ? primary : Optional.empty())
                .or(() -> first(lastFirst, n -> differs(n, wanted) && !n.primary()))
                .or(() -> primary)
                .orElse(nodes.get(0))
                .name();
    }

    private static Optional<Node> first(List<Node> nodes, Predicate<Node> what) {
        return nodes.stream().filter(what).findFirst();
    }

    private static boolean differs(Node n, ChecksumState wanted) {
        return n.server().seen().filter(s -> s.checksums() != wanted).isPresent();
    }

    private static boolean hasRemains(Node n) {
        // Of a server that has come up, its word is newer than its log.
        return n.alone().pod().filter(PodFacts::held).isPresent()
                || n.server()
                        .seen()
                        .map(s -> s.interlockPresent().value().orElse(false))
                        .orElse(n.alone().interlockInLog());
    }
}

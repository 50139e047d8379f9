package dev.datachecksums.operator.decide.check;

import static dev.datachecksums.operator.decide.Observations.atRest;
import static dev.datachecksums.operator.decide.Workloads.node;
import static dev.datachecksums.operator.decide.check.Asked.blocks;
import static dev.datachecksums.operator.decide.check.Asked.passes;
import static dev.datachecksums.operator.decide.check.Asked.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.Servers;
import dev.datachecksums.operator.decide.Workloads;
import dev.datachecksums.operator.instance.WorkloadFacts.Node;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.postgres.Answer;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the gate says of several nodes. */
class NodesTest {

    private static final Node SILENT = node(1, Fact.missing("Unreachable", "no route", "x"), w -> {});

    private static Node primary() {
        return node(0, s -> s.standbys(Answer.given(2)));
    }

    private static Node standby(int n) {
        return node(n, Servers::inRecovery);
    }

    static Stream<Arguments> table() {
        NodesKnown known = new NodesKnown();
        NotInRecovery recovery = new NotInRecovery();
        ReplicasKnown replicas = new ReplicasKnown();
        SingleReplica single = new SingleReplica();
        RolesAreSettled roles = new RolesAreSettled();
        StrategyAvailable strategy = new StrategyAvailable();
        return Stream.of(
                passes(known, "one pod", atRest()),
                passes(known, "a primary and its standbys", atRest().nodes(0, primary(), standby(1), standby(2))),
                waits(known, "one is silent", atRest().nodes(0, primary(), SILENT), "orders-db-1: no route"),
                waits(known, "no primary", atRest().nodes(0, standby(0), standby(1)), "No node takes writes"),
                blocks(
                        known,
                        "servers of their own",
                        atRest().nodes(0, primary(), node(1, s -> {})),
                        "orders-db-0, orders-db-1"),
                blocks(
                        known,
                        "another cluster's standby",
                        atRest().nodes(0, primary(), node(1, s -> s.inRecovery().system("42"))),
                        "do not belong...orders-db-1"),
                passes(recovery, "a standby whose primary is there", atRest().nodes(1, primary(), standby(1))),
                blocks(
                        recovery,
                        "a standby of nobody",
                        atRest().nodes(1, standby(0), standby(1)),
                        "only a primary is converted"),
                passes(replicas, "all stream", atRest().nodes(0, primary(), standby(1), standby(2))),
                passes(replicas, "a standby", atRest().nodes(1, primary(), standby(1), standby(2))),
                waits(
                        replicas,
                        "one does not stream",
                        atRest().nodes(0, node(0, s -> s.standbys(Answer.given(1))), standby(1), standby(2)),
                        "Only 1 of 2 standbys stream"),
                blocks(
                        replicas,
                        "a standby from elsewhere",
                        atRest().nodes(0, node(0, s -> s.standbys(Answer.given(2))), standby(1)),
                        "1 standby streams...does not have"),
                blocks(
                        replicas,
                        "the state is replicated",
                        atRest().nodes(0, node(0, s -> s.functions().standbys(Answer.given(1))), standby(1)),
                        "takes its primary's state...Online"),
                passes(roles, "nobody", atRest().nodes(0, primary(), standby(1))),
                blocks(
                        roles,
                        "Patroni",
                        atRest().nodes(
                                        0,
                                        primary(),
                                        new Node(
                                                "orders-db-1",
                                                standby(1).alone(),
                                                standby(1).server(),
                                                Optional.of("Patroni"))),
                        "decided by Patroni"),
                passes(single, "several that are known", atRest().nodes(0, primary(), standby(1))),
                passes(
                        strategy,
                        "Rolling of several",
                        atRest().strategy(OfflineStrategy.ROLLING).nodes(0, primary(), standby(1))),
                blocks(
                        strategy,
                        "InPlace of several",
                        atRest().strategy(OfflineStrategy.IN_PLACE).nodes(0, primary(), standby(1)),
                        "2 nodes...Auto or Rolling"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void check(Asked row) {
        row.verify();
    }

    /** Else some would have the new state, and the primary never could. */
    @Test
    void noneIsBegunWithWhenAnotherCannotBe() {
        Node volatilePrimary =
                node(0, primary().server(), w -> w.volumes(Workloads.volume("data directory", "emptyDir", null)));
        assertThat(Gates.standard()
                        .askOffline(atRest().nodes(1, volatilePrimary, standby(1), standby(2))
                                .build()))
                .extracting(Finding::check)
                .containsExactly("DataOnPersistentVolume");
        assertThat(Gates.standard()
                        .askOffline(atRest().nodes(1, primary(), standby(1), standby(2))
                                .build()))
                .isEmpty();
    }
}

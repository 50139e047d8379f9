package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.ObservedState;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.operator.offline.ConversionJob;
import java.time.Duration;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A primary and two standbys, each with a state of its own: one after another, the primary last. */
@Tag("cluster")
class ReplicasE2E {
    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    @Scenario
    void everyNodeIsConvertedThePrimaryLast() throws Exception {
        ReplicatedCluster nodes = ReplicatedCluster.create(CLUSTER, "nodes");
        Database primary = nodes.primary().filled(100);
        try (AckedWriter writer = AckedWriter.start(primary.server()::connect)) {
            Declaration declaration = primary.declare();
            for (DesiredState state : new DesiredState[] {DesiredState.ENABLED, DesiredState.DISABLED}) {
                declaration.set("state", state == DesiredState.ENABLED ? "Enabled" : "Disabled");
                // The primary still has the other state when the last standby has the new one.
                declaration.await(
                        "standbys first",
                        s -> Objects.requireNonNull(s.nodes()).stream()
                                        .filter(n -> "Standby".equals(n.role()))
                                        .allMatch(n -> n.state() == said(state))
                                && Declaration.condition(s, "Ready").status().equals("False"));
                DataChecksumsStatus status = declaration.awaitConverged(state);
                assertThat(status.state()).isEqualTo(said(state));
                assertThat(Objects.requireNonNull(status.nodes()))
                        .hasSize(ReplicatedCluster.NODES)
                        .allMatch(n -> n.state() == said(state));
                assertThat(Objects.requireNonNull(status.lastConversion()).method())
                        .isEqualTo(ConversionMethod.ROLLING);
                assertThat(nodes.words()).containsOnly(state == DesiredState.ENABLED ? "on" : "off");
                writer.awaitMore(100, Duration.ofSeconds(60));
            }
            writer.close();
            assertThat(writer.missing()).isEmpty();
        }
        primary.assertNothingLeft();
        nodes.assertWhole("off");
    }

    /** What is done stays done: the next try goes on with the rest. */
    @Scenario
    @Tag("long")
    void aJobKilledOnTheWayIsMadeUpFor() throws Exception {
        ReplicatedCluster nodes = ReplicatedCluster.create(CLUSTER, "killed");
        Database primary = nodes.primary();
        try (AckedWriter writer = AckedWriter.start(primary.server()::connect)) {
            Declaration declaration = primary.declare();
            declaration.await("the second standby's turn", s -> {
                ConversionStatus c = s.conversion();
                return c != null && "killed-1".equals(c.pod());
            });
            Awaitility.await("a Job is killed")
                    .atMost(Duration.ofMinutes(4))
                    .pollInterval(Duration.ofMillis(20))
                    .ignoreExceptionsInstanceOf(IllegalStateException.class)
                    .until(() -> {
                        CLUSTER.testbed()
                                .killContainer(
                                        declaration.job().pod().getMetadata().getName(), ConversionJob.CONTAINER);
                        return true;
                    });
            declaration.await("counted", s -> Declaration.attempts(s) == 1);
            assertThat(declaration.awaitConverged(DesiredState.ENABLED).nodes())
                    .allMatch(n -> n.state() == ObservedState.ON);
            writer.awaitMore(100, Duration.ofSeconds(60));
            writer.close();
            assertThat(writer.missing()).isEmpty();
        }
        primary.assertNothingLeft();
        nodes.assertWhole("on");
    }

    private static ObservedState said(DesiredState state) {
        return state == DesiredState.ENABLED ? ObservedState.ON : ObservedState.OFF;
    }
}

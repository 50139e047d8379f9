package dev.datachecksums.operator.observe;

import static dev.datachecksums.operator.decide.Workloads.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.decide.Servers;
import dev.datachecksums.operator.decide.Workloads;
import dev.datachecksums.operator.instance.WorkloadFacts.Node;
import dev.datachecksums.operator.postgres.ChecksumState;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FocusTest {

    private static Node primary(ChecksumState state) {
        return node(0, s -> s.checksums(state));
    }

    private static Node standby(int n, ChecksumState state) {
        return node(n, s -> s.inRecovery().checksums(state));
    }

    private static String focus(Node... nodes) {
        return Focus.of(List.of(nodes), Optional.empty(), DesiredState.ENABLED);
    }

    @Test
    void theLastStandbyThatDiffersThenThePrimary() {
        ChecksumState off = ChecksumState.OFF;
        ChecksumState on = ChecksumState.ON;
        assertThat(focus(primary(off), standby(1, off), standby(2, off))).isEqualTo("orders-db-2");
        assertThat(focus(primary(off), standby(1, off), standby(2, on))).isEqualTo("orders-db-1");
        assertThat(focus(primary(off), standby(1, on), standby(2, on))).isEqualTo("orders-db-0");
        assertThat(focus(primary(on), standby(1, on), standby(2, off))).isEqualTo("orders-db-2");
        assertThat(focus(primary(on), standby(1, on), standby(2, on))).isEqualTo("orders-db-0");
    }

    @Test
    void whatAConversionIsAboutAsLongAsItIsUnderWay() {
        assertThat(Focus.of(
                        List.of(primary(ChecksumState.OFF), standby(1, ChecksumState.OFF)),
                        Optional.of("orders-db-7"),
                        DesiredState.ENABLED))
                .isEqualTo("orders-db-7");
    }

    @Test
    void whatIsLeftOfAConversionFirst() {
        Fact<dev.datachecksums.operator.postgres.ServerFacts> silent = Fact.missing("NoAddress", "x", "y");
        Node standby = standby(2, ChecksumState.OFF);
        assertThat(focus(primary(ChecksumState.OFF), node(1, silent, Workloads::held), standby))
                .isEqualTo("orders-db-1");
        assertThat(focus(primary(ChecksumState.OFF), node(1, silent, Workloads::interlockInLog), standby))
                .isEqualTo("orders-db-1");
        assertThat(focus(node(0, s -> s.interlock(true)), standby(1, ChecksumState.OFF), standby))
                .isEqualTo("orders-db-0");
    }

    /** There a standby takes its primary's state by itself. */
    @Test
    void thePrimaryWhereTheServerCanConvertOnline() {
        assertThat(focus(node(0, Servers::functions), standby(1, ChecksumState.OFF)))
                .isEqualTo("orders-db-0");
    }

    @Test
    void theFirstWhereNobodyAnswers() {
        Fact<dev.datachecksums.operator.postgres.ServerFacts> silent = Fact.missing("NoAddress", "x", "y");
        assertThat(focus(node(0, silent, w -> {}), node(1, silent, w -> {}))).isEqualTo("orders-db-0");
    }
}

package dev.datachecksums.operator.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import org.junit.jupiter.api.Test;

class RolloutTest {

    private static final Pod POD = Pods.yaml("nodeName: node-1");

    private static StatefulSet set(String strategy, String status) {
        return Pods.read(
                "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db, generation: 3}, spec: {updateStrategy: "
                        + strategy + "}, status: {" + status + "}}",
                StatefulSet.class);
    }

    private static StatefulSet rolling(String status) {
        return set("{type: RollingUpdate, rollingUpdate: {partition: 0}}", status);
    }

    @Test
    void nothingIsPendingWhenThePodHasTheRevisionItWouldGet() {
        assertThat(Rollout.pending(rolling("observedGeneration: 3, currentRevision: db-1, updateRevision: db-1"), POD))
                .isEmpty();
    }

    @Test
    void anUnseenChangeIsPending() {
        assertThat(Rollout.pending(rolling("observedGeneration: 2, currentRevision: db-1, updateRevision: db-1"), POD)
                        .orElseThrow())
                .contains("has not seen the newest change");
        assertThat(Rollout.pending(rolling(""), POD)).isPresent();
    }

    @Test
    void aRolloutUnderWayIsPending() {
        assertThat(Rollout.pending(rolling("observedGeneration: 3, currentRevision: db-1, updateRevision: db-2"), POD)
                        .orElseThrow())
                .contains("db-1")
                .contains("db-2");
    }

    @Test
    void onDeleteWouldRollOut() {
        assertThat(Rollout.pending(
                        set("{type: OnDelete}", "observedGeneration: 3, currentRevision: db-1, updateRevision: db-2"),
                        POD))
                .isPresent();
    }

    @Test
    void belowThePartitionThePodComesBackAsItIs() {
        String status = "observedGeneration: 3, currentRevision: db-1, updateRevision: db-2";
        StatefulSet partitioned = set("{type: RollingUpdate, rollingUpdate: {partition: 1}}", status);
        assertThat(Rollout.pending(partitioned, POD)).isEmpty();

        // The partition counts from the first ordinal.
        StatefulSet shifted = new StatefulSetBuilder(partitioned)
                .editSpec()
                .withNewOrdinals(7)
                .endSpec()
                .build();
        assertThat(Rollout.pending(shifted, POD)).isEmpty();
    }

    @Test
    void aSetThatIsBeingDeletedBringsNothingBack() {
        StatefulSet going = new StatefulSetBuilder(
                        rolling("observedGeneration: 3, currentRevision: db-1, updateRevision: db-1"))
                .editMetadata()
                .withDeletionTimestamp("2026-11-30T00:00:00Z")
                .endMetadata()
                .build();
        assertThat(Rollout.pending(going, POD).orElseThrow()).contains("marked for deletion");
    }
}

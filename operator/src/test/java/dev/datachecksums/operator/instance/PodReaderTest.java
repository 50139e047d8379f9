package dev.datachecksums.operator.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodReaderTest {

    private static final Pod POD = Pods.yaml("{nodeName: node-1, restartPolicy: Always}");

    private static PodFacts read(Pod pod, String status) {
        return PodReader.read(
                new PodBuilder(pod)
                        .withStatus(Pods.read(status, PodStatus.class))
                        .build(),
                Optional.of("pg"));
    }

    private static Pod deleting(Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .withDeletionTimestamp("2026-11-30T12:01:00Z")
                .withDeletionGracePeriodSeconds(60L)
                .withFinalizers("other", InstanceDriver.HOLD)
                .endMetadata()
                .build();
    }

    @Test
    void readsAPodThatServes() {
        PodFacts facts = PodReader.read(POD, Optional.of("pg"));
        assertThat(facts.ready()).isTrue();
        assertThat(facts.ip()).contains("10.0.0.7");
        assertThat(facts.node()).contains("node-1");
        assertThat(facts.held()).isFalse();
        assertThat(facts.deleting()).isEmpty();
    }

    @Test
    void readsAHoldAndWhenTheDeletionBegan() {
        PodFacts facts = read(deleting(POD), "{phase: Running}");
        assertThat(facts.held()).isTrue();
        // The API server writes when the grace ends.
        assertThat(facts.deleting()).contains(Instant.parse("2026-11-30T12:00:00Z"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // a live pod's container is started again
                "false | {phase: Running, containerStatuses: [{name: pg, state: {terminated: {exitCode: 0}}}]} | false",
                "true | {phase: Running, containerStatuses: [{name: pg, state: {terminated: {exitCode: 0}}}]} | true",
                // another container's end says nothing
                "true | {phase: Running, containerStatuses: [{name: pg, state: {running: {}}}, {name: x, state: {terminated: {}}}]} | false",
                // it may just be starting
                "true | {phase: Running, containerStatuses: [{name: pg, state: {waiting: {reason: CrashLoopBackOff}}}]} | false",
                "true | {phase: Pending} | false",
                "true | {phase: Failed} | true",
                "false | {phase: Succeeded} | true",
            })
    void knowsWhenNothingRunsAnyMore(boolean deleting, String status, boolean ended) {
        assertThat(read(deleting ? deleting(POD) : POD, status).ended()).isEqualTo(ended);
    }

    @Test
    void aPodThatNeverHadANodeHasEndedOnceItIsDeleted() {
        Pod pending =
                new PodBuilder(POD).editSpec().withNodeName(null).endSpec().build();
        assertThat(read(pending, "{phase: Pending}").ended()).isFalse();
        assertThat(read(deleting(pending), "{phase: Pending}").ended()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{name: pg, restartCount: 0, state: {running: {}}} | false",
                "{name: pg, restartCount: 1, state: {running: {}}} | true",
                "{name: pg, restartCount: 0, state: {waiting: {reason: CrashLoopBackOff}}} | true",
                "{name: pg, restartCount: 0, state: {waiting: {reason: ContainerCreating}}} | false",
                "{name: sidecar, restartCount: 5, state: {running: {}}} | false",
            })
    void knowsACrashLoop(String container, boolean crashing) {
        assertThat(read(POD, "{phase: Running, containerStatuses: [" + container + "]}")
                        .crashing())
                .isEqualTo(crashing);
    }
}

package dev.datachecksums.e2e.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What scenarios rely on, on whichever testbed they run. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TestbedE2E {
    private final Testbed testbed = Testbeds.open();

    @AfterAll
    void close() {
        testbed.close();
    }

    @Test
    void aServerIsStoppedCleanlyAndComesBackWithItsDataAndAnotherUid() {
        PostgresInstance server = testbed.createReady(PostgresSpec.named("plain"));
        server.execute("create table t as select 1 as a");
        assertThat(server.dataChecksums()).isEqualTo("off");
        Pod before = server.pod().orElseThrow();

        testbed.client().resource(before).delete();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> server.pod()
                        .filter(p -> !p.getMetadata()
                                .getUid()
                                .equals(before.getMetadata().getUid()))
                        .isPresent());
        server.awaitReady();

        assertThat(server.query("select a from t")).isEqualTo("1");
        assertThat(server.restarts()).isZero();
        VolumeReport report = server.inspectStopped();
        assertThat(report.control("Database cluster state")).isEqualTo("shut down");
        assertThat(report.checksumVersion()).isZero();
        assertThat(report.interlocked()).isFalse();
        assertThat(report.files()).contains("PG_VERSION", "pg_wal");
        assertThat(server.query("select a from t")).isEqualTo("1");
    }

    @Test
    void checksumsAreOnWhereAskedForAndEveryPageIsRight() {
        PostgresInstance server = testbed.createReady(PostgresSpec.named("sums").withChecksums(true));
        assertThat(server.dataChecksums()).isEqualTo("on");
        VolumeReport report = server.inspectStopped();
        assertThat(report.checkExit()).isZero();
        assertThat(report.badChecksums()).isZero();
        assertThat(report.checksumVersion()).isEqualTo(1);
    }

    @Test
    void aKilledPostmasterIsStartedAgainInTheSamePod() {
        PostgresInstance server = testbed.createReady(PostgresSpec.named("killed"));
        String uid = server.pod().orElseThrow().getMetadata().getUid();
        testbed.killContainer(server.podName(), server.container());
        await().atMost(Duration.ofSeconds(60)).until(() -> server.restarts() == 1);
        server.awaitReady();
        Pod pod = server.pod().orElseThrow();
        assertThat(pod.getMetadata().getUid()).isEqualTo(uid);
        assertThat(pod.getStatus()
                        .getContainerStatuses()
                        .get(0)
                        .getLastState()
                        .getTerminated()
                        .getExitCode())
                .isEqualTo(137);
    }

    @Test
    void aFinalizerHoldsThePlaceOfAPodThatHasEnded() {
        PostgresInstance server = testbed.createReady(PostgresSpec.named("held"));
        String uid = server.pod().orElseThrow().getMetadata().getUid();
        var pod = testbed.client().pods().inNamespace(testbed.namespace()).withName(server.podName());
        pod.edit(p -> new PodBuilder(p)
                .editMetadata()
                .addToFinalizers("datachecksums.dev/hold")
                .endMetadata()
                .build());
        pod.delete();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> List.of("Succeeded", "Failed")
                        .contains(pod.get().getStatus().getPhase()));
        assertThat(pod.get().getMetadata().getUid()).isEqualTo(uid);
        VolumeReport report = server.inspect();
        assertThat(report.control("Database cluster state")).isEqualTo("shut down");
        assertThat(pod.get().getMetadata().getUid()).isEqualTo(uid);

        pod.edit(p -> new PodBuilder(p)
                .editMetadata()
                .removeFromFinalizers("datachecksums.dev/hold")
                .endMetadata()
                .build());
        await().atMost(Duration.ofSeconds(60))
                .until(() -> server.pod()
                        .filter(p -> !p.getMetadata().getUid().equals(uid))
                        .isPresent());
        server.awaitReady();
    }

    @Test
    void anEmptyDirGoesWithItsPod() {
        PostgresInstance server =
                testbed.createReady(PostgresSpec.named("volatile").withStorage(PostgresSpec.Storage.EMPTY_DIR));
        String before = server.query("select system_identifier from pg_control_system()");
        String uid = server.pod().orElseThrow().getMetadata().getUid();
        testbed.forceDelete(server.podName());
        await().atMost(Duration.ofSeconds(60))
                .until(() -> server.pod()
                        .filter(p -> !p.getMetadata().getUid().equals(uid))
                        .isPresent());
        server.awaitReady();
        assertThat(server.query("select system_identifier from pg_control_system()"))
                .isNotEqualTo(before);
    }
}

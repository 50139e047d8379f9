package dev.datachecksums.e2e.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the controllers and the kubelet do, on both testbeds: the stand-ins must not be kinder than the real ones. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkloadContractE2E {
    private final Testbed testbed = Testbeds.open();
    private final KubernetesClient client = testbed.client();
    private final String namespace = testbed.namespace();
    private static final Duration WITHIN = Duration.ofSeconds(90);

    @AfterAll
    void close() {
        testbed.close();
    }

    @Test
    void aJobCompletesAndItsPodIsFoundByItsName() {
        create("fine", "echo hello; printf done >/dev/termination-log");
        awaitCondition("fine", "Complete");
        Job job = job("fine");
        assertThat(job.getStatus().getSucceeded()).isEqualTo(1);
        assertThat(job.getStatus().getStartTime()).isNotNull();
        assertThat(job.getStatus().getCompletionTime()).isNotNull();
        Pod pod = podOf("fine").orElseThrow();
        assertThat(pod.getMetadata().getName()).startsWith("fine-");
        assertThat(pod.getStatus().getPhase()).isEqualTo("Succeeded");
        assertThat(pod.getMetadata().getFinalizers()).isEmpty();
        ContainerStateTerminated end = terminated(pod);
        assertThat(end.getExitCode()).isZero();
        assertThat(end.getReason()).isEqualTo("Completed");
        assertThat(end.getMessage()).isEqualTo("done");
        assertThat(client.pods().inNamespace(namespace).resource(pod).getLog()).isEqualTo("hello\n");
    }

    @Test
    void aJobWithoutRetriesFailsWithItsFirstPod() {
        create("failing", "echo no; exit 3");
        awaitCondition("failing", "Failed");
        assertThat(job("failing").getStatus().getConditions())
                .filteredOn(c -> c.getType().equals("Failed"))
                .extracting(c -> c.getReason())
                .containsExactly("BackoffLimitExceeded");
        assertThat(job("failing").getStatus().getFailed()).isEqualTo(1);
        assertThat(terminated(podOf("failing").orElseThrow()).getExitCode()).isEqualTo(3);
    }

    @Test
    void aVariableThatMayBeMissingIsNotSet() {
        create(
                "unset",
                "printf %s \"${TOLD-nothing}\" >/dev/termination-log",
                new EnvVarBuilder()
                        .withName("TOLD")
                        .withNewValueFrom()
                        .withNewSecretKeyRef("key", "no-such-secret", true)
                        .endValueFrom()
                        .build());
        awaitCondition("unset", "Complete");
        assertThat(terminated(podOf("unset").orElseThrow()).getMessage()).isEqualTo("nothing");
    }

    @Test
    void aPodThatIsDeletedHasFailedAndItsProcessIsToldSo() throws Exception {
        create("deleted", "trap 'echo told; exit 1' INT TERM; echo up; while :; do sleep .1; done");
        Pod pod = awaitRunning("deleted");
        try (var log = client.pods().inNamespace(namespace).resource(pod).watchLog();
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(log.getOutput(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).as("while the container runs").isEqualTo("up");
            client.pods().inNamespace(namespace).resource(pod).delete();
            assertThat(lines.readLine()).isEqualTo("told");
            assertThat(lines.readLine()).as("the log ends with the container").isNull();
        }
        awaitCondition("deleted", "Failed");
        await().atMost(WITHIN).until(() -> podOf("deleted").isEmpty());
        assertThat(job("deleted").getStatus().getFailed()).isEqualTo(1);
        assertThat(job("deleted").getStatus().getActive()).isIn(null, 0);
    }

    @Test
    void aKilledContainerHasEndedWith137() {
        create("killed", "echo up; sleep 600");
        Pod pod = awaitRunning("killed");
        testbed.killContainer(pod.getMetadata().getName(), "work");
        awaitCondition("killed", "Failed");
        assertThat(terminated(podOf("killed").orElseThrow()).getExitCode()).isEqualTo(137);
    }

    @Test
    void aDeletedJobTakesItsPodAlong() {
        create("gone", "sleep 600");
        awaitRunning("gone");
        client.batch().v1().jobs().inNamespace(namespace).withName("gone").delete();
        await().atMost(WITHIN).until(() -> podOf("gone").isEmpty());
        assertThat(client.batch()
                        .v1()
                        .jobs()
                        .inNamespace(namespace)
                        .withName("gone")
                        .get())
                .isNull();
    }

    @Test
    void aPodThatIgnoresTheSignalIsKilledAfterItsGrace() {
        create("deaf", "trap '' INT TERM; echo up; while :; do sleep .1; done");
        Pod pod = awaitRunning("deaf");
        client.pods().inNamespace(namespace).resource(pod).withGracePeriod(2).delete();
        Pod going = podOf("deaf").orElseThrow();
        assertThat(going.getMetadata().getDeletionTimestamp()).isNotNull();
        assertThat(going.getMetadata().getDeletionGracePeriodSeconds()).isEqualTo(2);
        await().atMost(WITHIN).until(() -> podOf("deaf").isEmpty());
    }

    @Test
    void theLogCanBeReadFromItsEnd() {
        create("chatty", "for i in 1 2 3 4 5; do echo $i; done");
        awaitCondition("chatty", "Complete");
        var log = client.pods().inNamespace(namespace).resource(podOf("chatty").orElseThrow());
        assertThat(log.tailingLines(2).getLog()).isEqualTo("4\n5\n");
    }

    @Test
    void theStatefulSetSaysWhichRevisionItsPodsHave() {
        PostgresInstance server = testbed.createReady(PostgresSpec.named("revised"));
        var sets = client.apps().statefulSets().inNamespace(namespace).withName("revised");
        await().atMost(WITHIN)
                .until(() -> Integer.valueOf(1).equals(sets.get().getStatus().getReadyReplicas()));
        var status = sets.get().getStatus();
        assertThat(status.getObservedGeneration()).isEqualTo(1);
        assertThat(status.getUpdateRevision()).startsWith("revised-").isEqualTo(status.getCurrentRevision());
        assertThat(revision(server)).isEqualTo(status.getUpdateRevision());
        Pod pod = server.pod().orElseThrow();
        assertThat(pod.getMetadata().getOwnerReferences()).hasSize(1);
        assertThat(pod.getSpec().getHostname()).isEqualTo("revised-0");
        assertThat(pod.getSpec().getNodeName()).isNotEmpty();
        assertThat(client.persistentVolumeClaims()
                        .inNamespace(namespace)
                        .withName(server.claimName())
                        .get()
                        .getStatus()
                        .getPhase())
                .isEqualTo("Bound");

        sets.patch(merge(), "{\"spec\":{\"updateStrategy\":{\"type\":\"OnDelete\",\"rollingUpdate\":null}}}");
        sets.patch(merge(), "{\"spec\":{\"template\":{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}}}");
        await().atMost(WITHIN).until(() -> sets.get().getStatus().getObservedGeneration() == 3);
        var pending = sets.get().getStatus();
        assertThat(pending.getUpdateRevision()).isNotEqualTo(pending.getCurrentRevision());
        assertThat(revision(server)).as("OnDelete").isEqualTo(pending.getCurrentRevision());

        sets.patch(merge(), "{\"spec\":{\"updateStrategy\":{\"type\":\"RollingUpdate\"}}}");
        await().atMost(WITHIN)
                .until(() -> server.pod().isPresent() && revision(server).equals(pending.getUpdateRevision()));
        server.awaitReady();
        await().atMost(WITHIN)
                .until(() -> sets.get().getStatus().getCurrentRevision().equals(pending.getUpdateRevision()));
    }

    @Test
    void aDisruptionBudgetSaysWhatItAllows() {
        PostgresInstance server = testbed.createReady(PostgresSpec.named("budgeted"));
        var budgets = client.policy().v1().podDisruptionBudget().inNamespace(namespace);
        client.load(new java.io.ByteArrayInputStream("""
                        apiVersion: policy/v1
                        kind: PodDisruptionBudget
                        metadata: {name: budgeted}
                        spec: {minAvailable: 1, selector: {matchLabels: {app: budgeted}}}
                        """.getBytes(StandardCharsets.UTF_8)))
                .inNamespace(namespace)
                .create();
        await().atMost(WITHIN)
                .until(() -> budgets.withName("budgeted").get().getStatus() != null
                        && Integer.valueOf(1)
                                .equals(budgets.withName("budgeted")
                                        .get()
                                        .getStatus()
                                        .getCurrentHealthy()));
        assertThat(budgets.withName("budgeted").get().getStatus().getDisruptionsAllowed())
                .isZero();
        assertThat(server.restarts()).isZero();
    }

    private static PatchContext merge() {
        return PatchContext.of(PatchType.JSON_MERGE);
    }

    private static String revision(PostgresInstance server) {
        return server.pod()
                .map(p -> p.getMetadata().getLabels().get("controller-revision-hash"))
                .orElse("");
    }

    private void create(String name, String script, EnvVar... variables) {
        client.batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .resource(new JobBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withBackoffLimit(0)
                        .withNewTemplate()
                        .withNewSpec()
                        .withRestartPolicy("Never")
                        .withTerminationGracePeriodSeconds(5L)
                        .addNewContainer()
                        .withName("work")
                        .withImage(testbed.image(testbed.defaultMajor()))
                        .withImagePullPolicy("IfNotPresent")
                        .withCommand("sh", "-c", script)
                        .withEnv(variables)
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();
    }

    private Job job(String name) {
        return client.batch().v1().jobs().inNamespace(namespace).withName(name).get();
    }

    private Optional<Pod> podOf(String job) {
        return client
                .pods()
                .inNamespace(namespace)
                .withLabel("batch.kubernetes.io/job-name", job)
                .list()
                .getItems()
                .stream()
                .findFirst();
    }

    private Pod awaitRunning(String job) {
        await().atMost(WITHIN)
                .until(() -> podOf(job)
                        .filter(p -> p.getStatus().getPhase().equals("Running"))
                        .filter(p ->
                                client.pods().inNamespace(namespace).resource(p).getLog() != null)
                        .isPresent());
        return podOf(job).orElseThrow();
    }

    private void awaitCondition(String job, String type) {
        await().atMost(WITHIN)
                .until(() -> job(job).getStatus().getConditions().stream()
                        .anyMatch(c -> c.getType().equals(type) && c.getStatus().equals("True")));
    }

    private static ContainerStateTerminated terminated(Pod pod) {
        List<ContainerStateTerminated> ends = pod.getStatus().getContainerStatuses().stream()
                .map(c -> c.getState().getTerminated())
                .toList();
        assertThat(ends).hasSize(1).doesNotContainNull();
        return ends.get(0);
    }
}

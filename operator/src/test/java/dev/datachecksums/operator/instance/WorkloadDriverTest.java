package dev.datachecksums.operator.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.InstanceRef;
import dev.datachecksums.operator.observe.Fact;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetListBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the driver sees, by an API server whose answers are scripted. */
@EnableKubernetesMockClient(https = false)
class WorkloadDriverTest {

    private static final InstanceRef REF = new InstanceRef("apps/v1", "StatefulSet", "db", null);
    private static final String SET = "/apis/apps/v1/namespaces/ns/statefulsets/db";
    private static final String PODS = "/api/v1/namespaces/ns/pods";
    private static final String POD = PODS + "/db-0";
    private static final String BUDGETS = "/apis/policy/v1/namespaces/ns/poddisruptionbudgets";
    private static final String LOG = POD + "/log?container=pg&tailLines=50&limitBytes=65536&previous=";

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private WorkloadDriver driver;

    @BeforeEach
    void start() {
        driver = new WorkloadDriver(client, "own", log -> log.contains("the_interlock"));
    }

    private static StatefulSet set() {
        return Pods.read(
                "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db, uid: set-uid, generation: 1},"
                        + " spec: {replicas: 1}, status: {observedGeneration: 1, currentRevision: db-1, updateRevision: db-1}}",
                StatefulSet.class);
    }

    private static Pod pod() {
        return Pods.of(Pods.container("pg", "data:/data"));
    }

    private static Status failure(int code) {
        return new StatusBuilder().withCode(code).withStatus("Failure").build();
    }

    private void whole(Pod... pods) {
        server.expect().get().withPath(SET).andReturn(200, set()).always();
        server.expect()
                .get()
                .withPath(PODS)
                .andReturn(200, new PodListBuilder().withItems(pods).build())
                .always();
        server.expect()
                .get()
                .withPath(BUDGETS)
                .andReturn(200, new PodDisruptionBudgetListBuilder().build())
                .always();
    }

    private Fact<WorkloadFacts> observe() {
        return driver.observe("ns", REF, Optional.of(Directories.of("/data")));
    }

    private String reason() {
        return ((Fact.Missing<WorkloadFacts>) observe()).reason();
    }

    @Test
    void seesTheFirstPodOfTheSetAndNoStranger() {
        Pod stranger = new PodBuilder(pod())
                .editMetadata()
                .withOwnerReferences()
                .endMetadata()
                .build();
        whole(stranger);
        assertThat(observe().seen().orElseThrow().pod()).isEmpty();
        server.reset();
        whole(pod());
        WorkloadFacts facts = observe().seen().orElseThrow();
        assertThat(facts.pod().orElseThrow().uid()).isEqualTo("pod-uid");
        assertThat(facts.container()).contains("pg");
        assertThat(facts.interlockInLog()).isFalse();
    }

    @Test
    void reportsAContainerThatThePodHasNot() {
        whole(pod());
        WorkloadFacts facts = driver.observe(
                        "ns",
                        new InstanceRef("apps/v1", "StatefulSet", "db", "other"),
                        Optional.of(Directories.of("/data")))
                .seen()
                .orElseThrow();
        assertThat(facts.unknownContainer()).contains("other");
        assertThat(facts.container()).isEmpty();
        assertThat(facts.volumes()).isEmpty();
    }

    @Test
    void knowsNoVolumesWhileTheServerCannotBeAsked() {
        whole(pod());
        WorkloadFacts facts = driver.observe("ns", REF, Optional.empty()).seen().orElseThrow();
        assertThat(facts.volumes()).isEmpty();
        assertThat(facts.container()).contains("pg");
    }

    @Test
    void readsTheLogOnlyOfAServerThatWasRestartedAndIsNotReady() {
        Pod crashing = new PodBuilder(pod())
                .withStatus(Pods.read(
                        "{phase: Running, containerStatuses: [{name: pg, restartCount: 1, state: {waiting: {reason: CrashLoopBackOff}}}]}",
                        io.fabric8.kubernetes.api.model.PodStatus.class))
                .build();
        whole(crashing);
        server.expect()
                .get()
                .withPath(LOG + "false")
                .andReturn(400, failure(400))
                .always();
        server.expect()
                .get()
                .withPath(LOG + "true")
                .andReturn(200, "FATAL: unrecognized configuration parameter \"the_interlock\"")
                .once();
        assertThat(observe().seen().orElseThrow().interlockInLog()).isTrue();

        server.expect()
                .get()
                .withPath(LOG + "true")
                .andReturn(200, "PANIC: disk full")
                .once();
        assertThat(observe().seen().orElseThrow().interlockInLog()).isFalse();

        server.expect()
                .get()
                .withPath(LOG + "true")
                .andReturn(403, failure(403))
                .once();
        assertThat(((Fact.Missing<WorkloadFacts>) observe()).message()).contains("get pods/log");
    }

    @Test
    void refusesAKindThatItDoesNotKnow() {
        Fact<WorkloadFacts> fact =
                driver.observe("ns", new InstanceRef("apps/v1", "DaemonSet", "db", null), Optional.empty());
        assertThat(((Fact.Missing<WorkloadFacts>) fact).reason()).isEqualTo(InstanceDriver.WORKLOAD_UNKNOWN);
        assertThat(((Fact.Missing<WorkloadFacts>) fact).remedy()).contains("StatefulSet or the Deployment");
        assertThat(server.getRequestCount()).isZero();
    }

    @Test
    void saysThatThereIsNoSuchWorkload() {
        server.expect().get().withPath(SET).andReturn(404, failure(404)).always();
        assertThat(reason()).isEqualTo(InstanceDriver.WORKLOAD_NOT_FOUND);
    }

    @ParameterizedTest
    @CsvSource({
        "403, Forbidden",
        "401, Forbidden",
        "429, ApiUnavailable",
        "500, ApiUnavailable",
        "503, ApiUnavailable",
        "400, ApiRefused"
    })
    void namesTheCallThatFailedByItsCodeAndDoesNotTryAgain(int code, String reason) {
        server.expect().get().withPath(SET).andReturn(200, set()).always();
        server.expect().get().withPath(PODS).andReturn(code, failure(code)).always();
        Fact.Missing<WorkloadFacts> missing = (Fact.Missing<WorkloadFacts>) observe();
        assertThat(missing.reason()).isEqualTo(reason);
        assertThat(missing.message()).contains("list pods").contains("namespace ns");
        assertThat(server.getRequestCount()).isEqualTo(2);
        assertThat(driver.recheck("ns", REF, "db-0", "pod-uid", List.of())).isPresent();
    }

    @Test
    void saysWhenTheApiServerIsDown() {
        server.destroy();
        assertThat(reason()).isEqualTo("ApiUnavailable");
        assertThat(driver.recheck("ns", REF, "db-0", "pod-uid", List.of())).isPresent();
    }
}

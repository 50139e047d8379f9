package dev.datachecksums.operator.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.InstanceRef;
import dev.datachecksums.operator.observe.Fact;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetListBuilder;
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

/** The driver and Deployments, against an API server whose answers are scripted. */
@EnableKubernetesMockClient(https = false)
class DeploymentsTest {

    private static final InstanceRef REF = new InstanceRef("apps/v1", "Deployment", "db", null);
    private static final String DEPLOYMENT = "/apis/apps/v1/namespaces/ns/deployments/db";
    private static final String SETS = "/apis/apps/v1/namespaces/ns/replicasets?labelSelector=app%3Ddb";
    private static final String PODS = "/api/v1/namespaces/ns/pods";
    private static final String BUDGETS = "/apis/policy/v1/namespaces/ns/poddisruptionbudgets";

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private WorkloadDriver driver;

    @BeforeEach
    void start() {
        driver = new WorkloadDriver(client, "own", log -> log.contains("the_interlock"));
    }

    private static Deployment deployment(String spec, String status) {
        return Pods.read(
                "{apiVersion: apps/v1, kind: Deployment, metadata: {name: db, uid: d-uid, generation: 2},"
                        + " spec: {replicas: 1, selector: {matchLabels: {app: db}}, strategy: {type: Recreate}" + spec
                        + "}, status: {observedGeneration: 2, replicas: 1, updatedReplicas: 1" + status + "}}",
                Deployment.class);
    }

    private static ReplicaSet set(String name, String owner) {
        return Pods.read(
                "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: " + name + ", uid: " + name + "-uid,"
                        + " ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: db, uid: " + owner
                        + ", controller: true}]}}",
                ReplicaSet.class);
    }

    /** A pod of a ReplicaSet, with the claim {@code db-data}. */
    private static Pod pod(String name, String set, String created, String metadata, String phase) {
        return Pods.read(
                "{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: ns, uid: " + name
                        + "-uid, creationTimestamp: '" + created + "', labels: {app: db, pod-template-hash: h1},"
                        + " ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: " + set + ", uid: " + set
                        + "-uid, controller: true}]" + metadata + "}, spec: {containers: [{name: pg, image: 'pg:1',"
                        + " volumeMounts: [{name: data, mountPath: /data}]}],"
                        + " volumes: [{name: data, persistentVolumeClaim: {claimName: db-data}}]},"
                        + " status: {phase: " + phase + "}}",
                Pod.class);
    }

    private static Pod pod(String name, String created) {
        return pod(name, "db-1", created, "", "Running");
    }

    private static Pod going(String name, String created) {
        return pod(
                name,
                "db-1",
                created,
                ", deletionTimestamp: '2026-12-01T03:00:00Z', deletionGracePeriodSeconds: 30",
                "Running");
    }

    private WorkloadFacts facts(Deployment deployment, Pod... pods) {
        answer(deployment, pods);
        return driver.observe("ns", REF, Optional.of(Directories.of("/data")))
                .seen()
                .orElseThrow();
    }

    private void answer(Deployment deployment, Pod... pods) {
        server.expect().get().withPath(DEPLOYMENT).andReturn(200, deployment).always();
        server.expect()
                .get()
                .withPath(SETS)
                .andReturn(
                        200,
                        new ReplicaSetListBuilder()
                                .withItems(set("db-1", "d-uid"), set("stranger", "other-uid"))
                                .build())
                .always();
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

    @Test
    void seesThePodOfItsReplicaSetAndNoStranger() {
        WorkloadFacts facts = facts(
                deployment("", ""),
                pod("strange", "stranger", "2026-12-01T02:00:05Z", "", "Running"),
                pod("evicted", "db-1", "2026-12-01T02:00:04Z", "", "Failed"),
                pod("ours", "2026-12-01T02:00:00Z"));
        assertThat(facts.pod().orElseThrow().name()).isEqualTo("ours");
        assertThat(facts.pod().orElseThrow().revision()).contains("h1");
        assertThat(facts.replicas()).isEqualTo(1);
        assertThat(facts.holdable()).isFalse();
        assertThat(facts.several()).isFalse();
        assertThat(facts.volumes()).extracting(v -> v.claim().orElse("")).containsExactly("db-data");
        assertThat(facts.otherPods()).containsExactly("strange");
        assertThat(facts.pendingRollout()).isEmpty();
        assertThat(facts.rolloutOverlap()).isEmpty();
    }

    /** While the stopped one is going its ReplicaSet has made the next one. */
    @Test
    void seesTheNextPodWhereOneIsGoing() {
        WorkloadFacts facts =
                facts(deployment("", ""), going("old", "2026-12-01T02:00:00Z"), pod("next", "2026-12-01T02:00:09Z"));
        assertThat(facts.pod().orElseThrow().name()).isEqualTo("next");
        assertThat(facts.otherPods()).containsExactly("old");
        server.reset();
        WorkloadFacts alone = facts(deployment("", ""), going("old", "2026-12-01T02:00:00Z"));
        assertThat(alone.pod().orElseThrow().deleting()).isPresent();
    }

    @Test
    void aRolloutThatStartsTheNextBesideTheOldIsSaid() {
        Deployment rolling = deployment("", "");
        rolling.getSpec().getStrategy().setType("RollingUpdate");
        assertThat(facts(rolling, pod("ours", "2026-12-01T02:00:00Z")).rolloutOverlap())
                .hasValueSatisfying(why -> assertThat(why).contains("RollingUpdate"));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            delimiter = '|',
            value = {
                ", paused: true | | is paused",
                " | observedGeneration: 1 | has not seen",
                " | replicas: 2 | is being rolled out",
                " | updatedReplicas: 0 | is being rolled out"
            })
    void saysWhatTheRestartWouldMeet(String spec, String status, String words) {
        Deployment deployment = deployment(spec == null ? "" : spec, "");
        if (status != null) {
            deployment.setStatus(Pods.read(
                            "{apiVersion: apps/v1, kind: Deployment, status: {observedGeneration: 2, replicas: 1,"
                                    + " updatedReplicas: 1}}",
                            Deployment.class)
                    .getStatus());
            switch (status) {
                case "observedGeneration: 1" -> deployment.getStatus().setObservedGeneration(1L);
                case "replicas: 2" -> deployment.getStatus().setReplicas(2);
                default -> deployment.getStatus().setUpdatedReplicas(0);
            }
        }
        assertThat(facts(deployment, pod("ours", "2026-12-01T02:00:00Z")).pendingRollout())
                .hasValueSatisfying(why -> assertThat(why).contains(words));
    }

    /** Between the gate and the stop a scaling, a rollout or an autoscaler may have brought one. */
    @Test
    void looksForOtherPodsOnceMoreBeforeTheStop() {
        answer(deployment("", ""), pod("ours", "2026-12-01T02:00:00Z"));
        assertThat(driver.recheck("ns", REF, "ours", "ours-uid", List.of("db-data")))
                .isEmpty();
        assertThat(driver.recheck("ns", REF, "other", "other-uid", List.of("db-data")))
                .hasValueSatisfying(why -> assertThat(why).contains("replaced"));
        server.reset();
        answer(deployment("", ""), pod("ours", "2026-12-01T02:00:00Z"), pod("second", "2026-12-01T02:01:00Z"));
        assertThat(driver.recheck("ns", REF, "ours", "ours-uid", List.of("db-data")))
                .hasValueSatisfying(why -> assertThat(why).contains("second"));
        server.reset();
        answer(deployment("", ""), going("ours", "2026-12-01T02:00:00Z"));
        assertThat(driver.recheck("ns", REF, "ours", "ours-uid", List.of("db-data")))
                .hasValueSatisfying(why -> assertThat(why).contains("somebody else"));
    }

    @Test
    void namesTheVerbThatIsMissing() {
        server.expect()
                .get()
                .withPath(DEPLOYMENT)
                .andReturn(200, deployment("", ""))
                .always();
        server.expect()
                .get()
                .withPath(SETS)
                .andReturn(403, new StatusBuilder().withCode(403).build())
                .always();
        Fact.Missing<WorkloadFacts> missing = (Fact.Missing<WorkloadFacts>) driver.observe("ns", REF, Optional.empty());
        assertThat(missing.reason()).isEqualTo("Forbidden");
        assertThat(missing.message()).contains("list replicasets.apps in namespace ns");
    }
}

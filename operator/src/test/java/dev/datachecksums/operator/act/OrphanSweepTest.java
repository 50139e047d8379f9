package dev.datachecksums.operator.act;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.operator.instance.InstanceDriver;
import dev.datachecksums.operator.instance.WorkloadDriver;
import dev.datachecksums.operator.offline.ConversionJob;
import dev.datachecksums.operator.offline.JobGateway;
import dev.datachecksums.operator.offline.JobNames;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobListBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One look for what no declaration is about. */
class OrphanSweepTest {

    private static final String PODS = "/api/v1/namespaces/shop/pods";
    private static final String POD = PODS + "/orders-db-0";
    private static final String JOBS = "/apis/batch/v1/namespaces/shop/jobs";
    private static final String SELECTED = "?labelSelector=datachecksums.dev%2Fresource-uid";
    private static final String DECLARATIONS = "/apis/datachecksums.dev/v1alpha1/namespaces/shop/datachecksums";
    private static final String LIFT = "dck-orphan-uid-pod-lift1";

    private final KubernetesMockServer server = new KubernetesMockServer(false);
    private KubernetesClient client;
    private OrphanSweep sweep;

    @BeforeEach
    void start() {
        server.init();
        client = server.createClient();
        sweep = new OrphanSweep(
                client,
                new WorkloadDriver(client, JobNames.RESOURCE_UID, log -> log.contains("the_interlock")),
                new JobGateway(client),
                ConversionJob.temporaryStandby(),
                Set.of("shop"),
                () -> true);
    }

    @AfterEach
    void stop() {
        client.close();
        server.destroy();
    }

    @Test
    void nothingIsLookedForWhereNothingIsHeld() throws Exception {
        there(pod().editMetadata().withFinalizers("somebody/else").endMetadata().build(), List.of());
        assertThat(sweep.round()).isFalse();
        assertThat(written()).isEmpty();
    }

    @Test
    void whatADeclarationNamesIsLeftToIt() throws Exception {
        there(pod().build(), List.of(), """
                metadata: {name: orders, namespace: shop, uid: uid-orders}
                spec: {instanceRef: {name: orders-db}}
                """);
        assertThat(sweep.round()).isFalse();
        assertThat(written()).isEmpty();
    }

    @Test
    void whatADeclarationRemembersIsLeftToIt() throws Exception {
        there(pod().build(), List.of(), """
                metadata: {name: orders, namespace: shop, uid: uid-orders}
                spec: {instanceRef: {name: another}}
                status: {conversion: {id: dck-orders-1, to: Enabled, podUid: uid-pod}}
                """);
        assertThat(sweep.round()).isFalse();
        assertThat(written()).isEmpty();
    }

    @Test
    void aPodThatWasNotStoppedIsReleased() throws Exception {
        there(pod().editMetadata().withDeletionTimestamp(null).endMetadata().build(), List.of());
        assertThat(sweep.round()).isTrue();
        assertThat(written()).containsExactly("PATCH " + POD);
    }

    @Test
    void firstItsVolumeIsLifted() throws Exception {
        there(pod().build(), List.of());
        server.expect()
                .post()
                .withPath(JOBS)
                .andReturn(201, job(LIFT, "uid-pod", 0))
                .once();
        assertThat(sweep.round()).isTrue();
        assertThat(written()).containsExactly("POST " + JOBS);
    }

    @Test
    void thenItIsReleased() throws Exception {
        there(pod().build(), List.of(job(LIFT, "uid-pod", 1)));
        assertThat(sweep.round()).isTrue();
        assertThat(written()).containsExactly("PATCH " + POD);
    }

    @Test
    void notWhileThatIsUnderWay() throws Exception {
        there(pod().build(), List.of(job(LIFT, "uid-pod", 0)));
        assertThat(sweep.round()).isTrue();
        assertThat(written()).isEmpty();
    }

    /** The Job of the try lifts as it ends; another would only wait for it. */
    @Test
    void itsJobIsEndedFirst() throws Exception {
        there(pod().build(), List.of(job("dck-orders-1", "uid-gone", 0)));
        server.expect()
                .delete()
                .withPath(JOBS + "/dck-orders-1")
                .andReturn(200, new StatusBuilder().build())
                .once();
        assertThat(sweep.round()).isTrue();
        assertThat(written()).containsExactly("DELETE " + JOBS + "/dck-orders-1");
    }

    @Test
    void whereNoJobCanBeMadeItIsReleasedAsItIs() throws Exception {
        there(pod().build(), List.of());
        server.expect()
                .post()
                .withPath(JOBS)
                .andReturn(
                        403,
                        new StatusBuilder()
                                .withCode(403)
                                .withMessage("because it is being terminated")
                                .build())
                .once();
        assertThat(sweep.round()).isTrue();
        assertThat(written()).containsExactly("POST " + JOBS, "PATCH " + POD);
    }

    private void there(Pod pod, List<Job> jobs, String... declarations) {
        server.expect()
                .get()
                .withPath(PODS + "?limit=100")
                .andReturn(
                        200,
                        new PodListBuilder()
                                .withNewMetadata()
                                .endMetadata()
                                .withItems(pod)
                                .build())
                .always();
        server.expect()
                .get()
                .withPath(PODS + SELECTED)
                .andReturn(
                        200,
                        new PodListBuilder().withNewMetadata().endMetadata().build())
                .always();
        server.expect()
                .get()
                .withPath(JOBS + SELECTED)
                .andReturn(200, new JobListBuilder().withItems(jobs).build())
                .always();
        String items = String.join(
                ",",
                List.of(declarations).stream()
                        .map(d -> Serialization.asJson(Serialization.unmarshal(
                                "apiVersion: datachecksums.dev/v1alpha1\nkind: DataChecksums\n" + d,
                                DataChecksums.class)))
                        .toList());
        server.expect()
                .get()
                .withPath(DECLARATIONS)
                .andReturn(
                        200,
                        "{\"apiVersion\":\"datachecksums.dev/v1alpha1\",\"kind\":\"DataChecksumsList\",\"metadata\":{},\"items\":["
                                + items + "]}")
                .always();
        server.expect().get().withPath(POD).andReturn(200, pod).always();
        server.expect().patch().withPath(POD).andReturn(200, pod).always();
    }

    /** Held, stopped, and on a claim. */
    private static PodBuilder pod() {
        return new PodBuilder()
                .withNewMetadata()
                .withName("orders-db-0")
                .withNamespace("shop")
                .withUid("uid-pod")
                .withFinalizers(InstanceDriver.HOLD)
                .withDeletionTimestamp("2026-11-30T20:00:00Z")
                .addNewOwnerReference()
                .withKind("StatefulSet")
                .withName("orders-db")
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .withNewSpec()
                .withNewSecurityContext()
                .withRunAsUser(26L)
                .endSecurityContext()
                .addNewContainer()
                .withName("postgres")
                .withImage("postgres:17")
                .addNewEnv()
                .withName("PGDATA")
                .withValue("/data/pgdata")
                .endEnv()
                .addNewVolumeMount()
                .withName("data")
                .withMountPath("/data")
                .endVolumeMount()
                .endContainer()
                .addNewVolume()
                .withName("data")
                .withNewPersistentVolumeClaim("data-orders-db-0", false)
                .endVolume()
                .endSpec()
                .withNewStatus()
                .withPhase("Succeeded")
                .endStatus();
    }

    private static Job job(String name, String uid, int succeeded) {
        return new JobBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("shop")
                .withUid("uid-" + name)
                .addToLabels(JobNames.RESOURCE_UID, uid)
                .endMetadata()
                .withNewSpec()
                .withNewTemplate()
                .withNewSpec()
                .endSpec()
                .endTemplate()
                .endSpec()
                .withNewStatus()
                .withSucceeded(succeeded)
                .endStatus()
                .build();
    }

    /** The calls that change something, in order. */
    private List<String> written() throws InterruptedException {
        List<String> written = new ArrayList<>();
        for (RecordedRequest r = take(); r != null; r = take()) {
            if (!"GET".equals(r.getMethod())) {
                written.add(r.getMethod() + " " + r.getPath());
            }
        }
        return written;
    }

    private RecordedRequest take() throws InterruptedException {
        return server.takeRequest(10, TimeUnit.MILLISECONDS);
    }
}

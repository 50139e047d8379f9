package dev.datachecksums.operator.act;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.datachecksums.operator.decide.Observations;
import dev.datachecksums.operator.decide.Workloads;
import dev.datachecksums.operator.instance.WorkloadDriver;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.ConversionJob;
import dev.datachecksums.operator.offline.JobGateway;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.offline.JobSpec;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobListBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.net.URLEncoder;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The start of a Job where not everything is as it should be. */
@EnableKubernetesMockClient(https = false)
class JobStartTest {

    private static final String JOBS = "/apis/batch/v1/namespaces/shop/jobs";
    private static final String POD = "/api/v1/namespaces/shop/pods/" + Workloads.POD;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private JobStart start;

    @BeforeEach
    void start() {
        start = new JobStart(
                new WorkloadDriver(client, JobNames.RESOURCE_UID, log -> log.contains("the_interlock")),
                ConversionJob.inPlace(),
                ConversionJob.temporaryStandby(),
                new JobGateway(client),
                Clock.systemUTC(),
                o -> Optional.of("orders.internal"));
    }

    @Test
    void somebodyElsesJobHasTheName() {
        server.expect().post().withPath(JOBS).andReturn(409, status(409, null)).once();
        server.expect()
                .get()
                .withPath(JOBS + "/job")
                .andReturn(200, job("job", "another-resource"))
                .once();
        Observation o = Observations.converting()
                .workload(w -> w.raw(pod("/data/pgdata", 26L)))
                .build();
        assertThat(started(o, JobSpec.Mode.ENABLE).problem())
                .hasValueSatisfying(p -> assertThat(p).contains("a Job job that is not of this resource"));
    }

    /** A restored backup brought the interlock along, and nothing is known of the server, which does not come up. */
    @Test
    void withoutAStatusThePodSaysWhereTheDataIs() throws Exception {
        server.expect().post().withPath(JOBS).andReturn(201, job("job", "uid")).once();
        Observation o = down(w -> w.raw(pod("/data/pgdata", 26L)));
        assertThat(started(o, JobSpec.Mode.LIFT).problem()).isEmpty();
        String made = server.takeRequest().getBody().readUtf8();
        assertThat(made).contains("\"/data/pgdata\"").contains("\"runAsUser\":26");
    }

    @Test
    void withoutAStatusAnEarlierJobIsTheModel() throws Exception {
        Observation o = down(w -> w.raw(pod("$(UNKNOWN)/pgdata", 26L)));
        jobs(earlier());
        server.expect().post().withPath(JOBS).andReturn(201, job("job", "uid")).once();
        assertThat(started(o, JobSpec.Mode.LIFT).problem()).isEmpty();
        server.takeRequest();
        assertThat(server.takeRequest().getBody().readUtf8())
                .contains("{\"name\":\"DCK_MODE\",\"value\":\"lift\"}")
                .contains("\"/earlier/pgdata\"");
    }

    @Test
    void whereNobodyKnowsAPersonIsTold() {
        jobs();
        assertThat(started(down(w -> w.raw(pod("/data/pgdata", 0L))), JobSpec.Mode.LIFT)
                        .problem())
                .hasValueSatisfying(p -> assertThat(p).contains("PGDATA", "postgresql.auto.conf", "pg_wal.dck"));
    }

    /** Nothing can be made there any more, and the held pod would keep it for ever. */
    @Test
    void aNamespaceThatIsBeingDeletedIsLetGo() throws Exception {
        server.expect()
                .post()
                .withPath(JOBS)
                .andReturn(403, status(403, "NamespaceTerminating"))
                .once();
        Pod held = new PodBuilder(pod("/data/pgdata", 26L))
                .editMetadata()
                .withNamespace("shop")
                .withResourceVersion("7")
                .withFinalizers("datachecksums.dev/hold")
                .endMetadata()
                .build();
        server.expect().get().withPath(POD).andReturn(200, held).always();
        server.expect().patch().withPath(POD).andReturn(200, held).once();
        assertThat(started(down(w -> w.held().raw(held)), JobSpec.Mode.LIFT).problem())
                .hasValueSatisfying(p -> assertThat(p).contains("namespace is being deleted"));
        assertThat(server.getLastRequest().getMethod()).isEqualTo("PATCH");
    }

    /** A missing right is no such end: it is told, and tried again. */
    @Test
    void anotherRefusalIsNotTakenForThat() {
        server.expect().post().withPath(JOBS).andReturn(403, status(403, null)).once();
        Observation o = down(w -> w.held().raw(pod("/data/pgdata", 26L)));
        assertThatThrownBy(() -> started(o, JobSpec.Mode.LIFT)).isInstanceOf(KubernetesClientException.class);
    }

    private void jobs(Job... there) {
        server.expect()
                .get()
                .withPath(JOBS + "?labelSelector=" + URLEncoder.encode(JobNames.RESOURCE_UID, UTF_8) + "%3Duid-orders")
                .andReturn(200, new JobListBuilder().withItems(there).build())
                .once();
    }

    private Outcome started(Observation o, JobSpec.Mode mode) {
        return start.start(o, o.conversion().orElseThrow(), "job", mode, Outcome.unchanged(o));
    }

    private static Observation down(Consumer<Workloads> pod) {
        return Observations.givingUp("RemainsFound: x").workload(pod).build();
    }

    private static Pod pod(String directory, long user) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(Workloads.POD)
                .withUid(Workloads.POD_UID)
                .withCreationTimestamp("2026-11-30T10:00:00Z")
                .endMetadata()
                .withNewSpec()
                .withNewSecurityContext()
                .withRunAsUser(user)
                .endSecurityContext()
                .addNewContainer()
                .withName("postgres")
                .withImage("postgres:17")
                .addNewEnv()
                .withName("PGDATA")
                .withValue(directory)
                .endEnv()
                .endContainer()
                .endSpec()
                .build();
    }

    private static Job earlier() {
        return new JobBuilder(job("earlier", "uid"))
                .withNewSpec()
                .withNewTemplate()
                .withNewSpec()
                .addNewContainer()
                .withName(ConversionJob.CONTAINER)
                .addNewEnv()
                .withName("DCK_MODE")
                .withValue("enable")
                .endEnv()
                .addNewEnv()
                .withName("PGDATA")
                .withValue("/earlier/pgdata")
                .endEnv()
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private static Job job(String name, String resource) {
        return new JobBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("shop")
                .addToLabels(JobNames.RESOURCE_UID, resource)
                .endMetadata()
                .build();
    }

    private static Status status(int code, @Nullable String cause) {
        StatusBuilder status = new StatusBuilder().withCode(code).withStatus("Failure");
        return cause == null
                ? status.build()
                : status.withNewDetails()
                        .addNewCause()
                        .withReason(cause)
                        .endCause()
                        .endDetails()
                        .build();
    }
}

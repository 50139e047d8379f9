package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.datachecksums.operator.instance.Pods;
import dev.datachecksums.operator.offline.JobSpec.Owner;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventListBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@EnableKubernetesMockClient(https = false)
class JobObserverTest {

    private static final Owner OWNER = new Owner("ns", "orders", "owner-uid");
    private static final String JOBS = "/apis/batch/v1/namespaces/ns/jobs";
    private static final String EVENTS_OF_JOB =
            "/api/v1/namespaces/ns/events?fieldSelector=involvedObject.uid%3Djob-uid";
    private static final String EVENTS_OF_POD =
            "/api/v1/namespaces/ns/events?fieldSelector=involvedObject.uid%3Dpod-uid";

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private final List<Job> jobs = new ArrayList<>();
    private final List<Pod> pods = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private JobGateway gateway;
    private LogFollower follower;

    @BeforeEach
    void start() {
        gateway = new JobGateway(client);
        follower = new LogFollower(client, (namespace, resource) -> {}, Clock.systemUTC());
    }

    @AfterEach
    void stop() {
        follower.close();
    }

    private List<JobFacts> observe(String now) {
        JobSource source = new JobSource() {
            @Override
            public List<Job> jobs(String namespace, String resourceUid) {
                return jobs;
            }

            @Override
            public List<Pod> pods(String namespace, String resourceUid) {
                return pods;
            }
        };
        Clock clock = Clock.fixed(Instant.parse("2026-11-30T12:" + now + "Z"), ZoneOffset.UTC);
        return new JobObserver(source, gateway, follower, clock).observe(OWNER);
    }

    private JobFacts only(String now) {
        List<JobFacts> all = observe(now);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static Job job(String uid, String role, String minute, String rest) {
        return Pods.read(
                "{apiVersion: batch/v1, kind: Job, metadata: {name: " + uid + "-name, namespace: ns, uid: " + uid
                        + ", creationTimestamp: '2026-11-30T12:" + minute + ":00Z', labels: {datachecksums.dev/role: "
                        + role
                        + ", datachecksums.dev/resource-uid: owner-uid}}" + rest + "}",
                Job.class);
    }

    private static Pod pod(String jobUid, String meta, String rest) {
        return Pods.read(
                "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ns, uid: pod-uid, creationTimestamp: '2026-11-30T12:00:00Z',"
                        + " labels: {batch.kubernetes.io/job-name: " + jobUid
                        + "-name, datachecksums.dev/role: convert},"
                        + " ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: " + jobUid
                        + ", controller: true}]" + meta
                        + "}, " + rest + "}",
                Pod.class);
    }

    private static String container(String state) {
        return "spec: {nodeName: n}, status: {phase: Running, containerStatuses: [{name: convert, state: " + state
                + "}]}";
    }

    @ParameterizedTest
    @CsvSource({"2026-11-30T13:00:07.5Z,2026-11-30T13:00:07.5Z", "'',2026-11-30T12:00:00Z", "noon,2026-11-30T12:00:00Z"
    })
    void knowsWhenTheOperatorAskedForAJobByItsOwnClock(String written, Instant asked) {
        Job job = job("job-uid", "convert", "00", "");
        job.getMetadata().setAnnotations(Map.of(JobNames.ASKED, written));
        jobs.add(job);
        assertThat(only("06:00").asked()).isEqualTo(asked);
        assertThat(only("06:00").created()).isEqualTo(Instant.parse("2026-11-30T12:00:00Z"));
    }

    @Test
    void seesEachJobWithItsPodTheNewestLast() {
        jobs.add(job("b", "lift", "05", ""));
        jobs.add(job("job-uid", "convert", "00", ", status: {conditions: [{type: Failed, status: 'True'}]}"));
        pods.add(pod("b", "", container("{running: {}}")));
        List<JobFacts> facts = observe("06:00");
        assertThat(facts).extracting(JobFacts::uid).containsExactly("job-uid", "b");
        assertThat(facts).extracting(JobFacts::lift).containsExactly(false, true);
        assertThat(facts.get(0).finished()).isTrue();
        assertThat(facts.get(0).over()).isTrue();
        assertThat(facts.get(0).pod()).isEmpty();
        assertThat(facts.get(1).pod().orElseThrow().running()).isTrue();
        assertThat(facts.get(1).over()).isFalse();
    }

    @Test
    void stillSeesThePodOfAJobThatHasGone() {
        pods.add(pod("job-uid", ", deletionTimestamp: '2026-11-30T12:00:30Z'", container("{running: {}}")));
        JobFacts facts = only("00:01");
        assertThat(facts.name()).isEqualTo("job-uid-name");
        assertThat(facts.deleting()).isTrue();
        assertThat(facts.over()).isFalse();
    }

    @Test
    void readsTheLastWordTogetherWithTheEnd() {
        jobs.add(job("job-uid", "convert", "00", ""));
        pods.add(
                pod(
                        "job-uid",
                        "",
                        container(
                                "{terminated: {exitCode: 1, message: '{\"step\":\"failed\",\"ms\":5,\"reason\":\"NotClean\",\"lifted\":true}'}}")));
        JobFacts facts = only("00:05");
        assertThat(facts.pod().orElseThrow().ended()).isTrue();
        assertThat(facts.pod().orElseThrow().exitCode()).contains(1);
        assertThat(facts.log().reason()).contains("NotClean");
        assertThat(facts.log().lifted()).contains(true);
        assertThat(facts.over()).isTrue();
        assertThat(facts.problem()).isEmpty();
    }

    @Test
    void saysByTheNewestWarningWhyThereIsNoPod() {
        jobs.add(job("job-uid", "convert", "00", ""));
        server.expect()
                .get()
                .withPath(EVENTS_OF_JOB)
                .andReturn(
                        200,
                        new EventListBuilder()
                                .withItems(
                                        event("Warning", "FailedCreate", "old", "01"),
                                        event("Warning", "FailedCreate", "forbidden: exceeded quota", "02"),
                                        event("Normal", "Suspended", "x", "03"))
                                .build())
                .once();
        assertThat(only("00:01").problem()).isEmpty();
        assertThat(server.getRequestCount()).isZero();
        assertThat(only("00:03").problem()).contains("FailedCreate: forbidden: exceeded quota");
    }

    @Test
    void doesWithoutEventsThatItMayNotList() {
        jobs.add(job("job-uid", "convert", "00", ""));
        server.expect()
                .get()
                .withPath(EVENTS_OF_JOB)
                .andReturn(403, new StatusBuilder().withCode(403).build())
                .once();
        assertThat(only("00:03").problem().orElseThrow()).contains("cannot be listed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spec: {}, status: {phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: 0/1 nodes}]} | Unschedulable: 0/1 nodes",
                "spec: {nodeName: n}, status: {phase: Pending, containerStatuses: [{name: convert, state: {waiting: {reason: ErrImagePull, message: no}}}]} | ErrImagePull: no",
                "spec: {nodeName: n}, status: {phase: Pending, containerStatuses: [{name: convert, state: {waiting: {reason: CreateContainerConfigError, message: root}}}]} | CreateContainerConfigError: root",
                "spec: {nodeName: n}, status: {phase: Pending, containerStatuses: [{name: convert, state: {waiting: {reason: ContainerCreating}}}]} | ''",
                "spec: {nodeName: n}, status: {phase: Failed, reason: OutOfcpu, message: full} | OutOfcpu: full",
                "spec: {nodeName: n}, status: {phase: Running, containerStatuses: [{name: convert, state: {running: {}}}]} | ''",
            })
    void saysWhatKeepsAPodFromRunning(String rest, String problem) {
        jobs.add(job("job-uid", "convert", "00", ""));
        pods.add(pod("job-uid", "", rest));
        assertThat(only("00:05").problem().orElse("")).isEqualTo(problem);
    }

    @Test
    void asksTheEventsOfAPodThatIsBeingCreatedForLong() {
        jobs.add(job("job-uid", "convert", "00", ""));
        pods.add(pod("job-uid", "", container("{waiting: {reason: ContainerCreating}}")));
        server.expect()
                .get()
                .withPath(EVENTS_OF_POD)
                .andReturn(
                        200,
                        new EventListBuilder()
                                .withItems(event("Warning", "FailedAttachVolume", "Multi-Attach error", "02"))
                                .build())
                .once();
        assertThat(only("00:10").problem()).isEmpty();
        assertThat(only("00:20").problem()).contains("FailedAttachVolume: Multi-Attach error");
    }

    private static Event event(String type, String reason, String message, String second) {
        return Pods.read(
                "{type: " + type + ", reason: " + reason + ", message: '" + message
                        + "', lastTimestamp: '2026-11-30T12:00:" + second + "Z'}",
                Event.class);
    }

    @Test
    void createsOnceAndKnowsAStranger() {
        Job wanted = job("job-uid", "convert", "00", "");
        server.expect().post().withPath(JOBS).andReturn(201, wanted).once();
        assertThat(gateway.create(wanted)).isEqualTo(JobGateway.Created.NEW);

        server.expect()
                .post()
                .withPath(JOBS)
                .andReturn(409, new StatusBuilder().withCode(409).build())
                .always();
        server.expect()
                .get()
                .withPath(JOBS + "/job-uid-name")
                .andReturn(200, wanted)
                .once();
        assertThat(gateway.create(wanted)).isEqualTo(JobGateway.Created.EXISTS);

        Job stranger = job("job-uid", "convert", "00", "");
        stranger.getMetadata().setLabels(Map.of());
        server.expect()
                .get()
                .withPath(JOBS + "/job-uid-name")
                .andReturn(200, stranger)
                .once();
        assertThat(gateway.create(wanted)).isEqualTo(JobGateway.Created.NAME_TAKEN);
    }

    @ParameterizedTest
    @CsvSource({"403", "429", "500"})
    void throwsWhatTheApiServerRefuses(int code) {
        server.expect()
                .post()
                .withPath(JOBS)
                .andReturn(code, new StatusBuilder().withCode(code).build())
                .always();
        assertThatThrownBy(() -> gateway.create(job("job-uid", "convert", "00", "")))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(code));
        assertThat(server.getRequestCount()).isEqualTo(1);
    }

    @Test
    void deletesInTheBackgroundAndWhatHasGoneIsDeleted() throws InterruptedException {
        server.expect()
                .delete()
                .withPath(JOBS + "/x")
                .andReturn(404, new StatusBuilder().withCode(404).build())
                .once();
        gateway.delete("ns", "x");
        assertThat(Optional.ofNullable(server.takeRequest())
                        .orElseThrow()
                        .getBody()
                        .readUtf8())
                .contains("\"propagationPolicy\":\"Background\"");
    }
}

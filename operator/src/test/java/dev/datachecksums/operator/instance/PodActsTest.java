package dev.datachecksums.operator.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the driver does to a pod, by an API server whose answers are scripted. */
@EnableKubernetesMockClient(https = false)
class PodActsTest {

    private static final String POD = "/api/v1/namespaces/ns/pods/db-0";
    private static final Duration MAX_OUTAGE = Duration.ofMinutes(30);

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private WorkloadDriver driver;

    @BeforeEach
    void start() {
        driver = new WorkloadDriver(client, "own", log -> log.contains("the_interlock"));
    }

    private static Pod pod() {
        return Pods.of(Pods.container("pg", "data:/data"));
    }

    private static Status failure(int code) {
        return new StatusBuilder().withCode(code).withStatus("Failure").build();
    }

    private List<RecordedRequest> requests(String method) throws InterruptedException {
        List<RecordedRequest> found = new ArrayList<>();
        for (int n = server.getRequestCount(); n > 0; n--) {
            RecordedRequest r = server.takeRequest();
            if (r.getMethod().equals(method)) {
                found.add(r);
            }
        }
        return found;
    }

    @Test
    void holdsOnceMoreAfterALostRace() throws InterruptedException {
        server.expect().get().withPath(POD).andReturn(200, pod()).always();
        server.expect().patch().withPath(POD).andReturn(409, failure(409)).once();
        server.expect().patch().withPath(POD).andReturn(422, failure(422)).once();
        server.expect().patch().withPath(POD).andReturn(200, pod()).once();
        assertThat(driver.hold("ns", "db-0", "pod-uid")).isEqualTo(Acted.DONE);
        List<RecordedRequest> patches = requests("PATCH");
        assertThat(patches).hasSize(3);
        assertThat(patches.get(0).getBody().readUtf8())
                .contains("{\"op\":\"test\",\"path\":\"/metadata/uid\",\"value\":\"pod-uid\"}")
                .contains("{\"op\":\"test\",\"path\":\"/metadata/resourceVersion\",\"value\":\"7\"}")
                .contains("\"value\":[\"datachecksums.dev/hold\"]");
    }

    @Test
    void givesUpHoldingWhatChangesAllTheTime() {
        server.expect().get().withPath(POD).andReturn(200, pod()).always();
        server.expect().patch().withPath(POD).andReturn(409, failure(409)).always();
        assertThat(driver.hold("ns", "db-0", "pod-uid")).isEqualTo(Acted.STALE);
    }

    @Test
    void keepsTheFinalizersOfOthers() throws InterruptedException {
        Pod guarded = new PodBuilder(pod())
                .editMetadata()
                .withFinalizers("a", InstanceDriver.HOLD, "b")
                .endMetadata()
                .build();
        server.expect().get().withPath(POD).andReturn(200, guarded).always();
        server.expect().patch().withPath(POD).andReturn(200, guarded).once();
        assertThat(driver.hold("ns", "db-0", "pod-uid")).isEqualTo(Acted.DONE);
        assertThat(driver.release("ns", "db-0", "pod-uid")).isEqualTo(Acted.DONE);
        assertThat(requests("PATCH").get(0).getBody().readUtf8())
                .contains("{\"op\":\"test\",\"path\":\"/metadata/finalizers/1\",\"value\":\"datachecksums.dev/hold\"}")
                .contains("{\"op\":\"remove\",\"path\":\"/metadata/finalizers/1\"}");
    }

    @Test
    void touchesNoOtherPodOfTheSameName() throws InterruptedException {
        server.expect().get().withPath(POD).andReturn(200, pod()).always();
        assertThat(driver.hold("ns", "db-0", "old")).isEqualTo(Acted.GONE);
        assertThat(driver.stop("ns", "db-0", "old", MAX_OUTAGE)).isEqualTo(Acted.GONE);
        assertThat(driver.release("ns", "db-0", "old")).isEqualTo(Acted.DONE);
        assertThat(requests("PATCH")).isEmpty();
    }

    @Test
    void hasNothingToDoForAPodThatHasGone() {
        server.expect().get().withPath(POD).andReturn(404, failure(404)).always();
        server.expect().delete().withPath(POD).andReturn(404, failure(404)).always();
        assertThat(driver.hold("ns", "db-0", "pod-uid")).isEqualTo(Acted.GONE);
        assertThat(driver.stop("ns", "db-0", "pod-uid", MAX_OUTAGE)).isEqualTo(Acted.GONE);
        assertThat(driver.release("ns", "db-0", "pod-uid")).isEqualTo(Acted.DONE);
        assertThat(driver.restart("ns", "db-0", "pod-uid")).isEqualTo(Acted.GONE);
    }

    @Test
    void cannotHoldWhatIsBeingDeletedAndNeedNotStopItAgain() throws InterruptedException {
        Pod going = new PodBuilder(pod())
                .editMetadata()
                .withDeletionTimestamp("2026-11-30T12:00:00Z")
                .endMetadata()
                .build();
        server.expect().get().withPath(POD).andReturn(200, going).always();
        assertThat(driver.hold("ns", "db-0", "pod-uid")).isEqualTo(Acted.STALE);
        assertThat(driver.stop("ns", "db-0", "pod-uid", MAX_OUTAGE)).isEqualTo(Acted.DONE);
        assertThat(requests("DELETE")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        // own grace, other containers, maxOutage in s, expected
        "30, 0, 1800, 300",
        "30, 0, 60, 60",
        "600, 0, 60, 600",
        "30, 1, 1800, 30",
        "0, 1, 1800, 1"
    })
    void stretchesTheGraceOnlyOfAServerThatIsAlone(long own, int others, long maxOutage, long expected)
            throws InterruptedException {
        Pod pod = new PodBuilder(others == 0 ? pod() : Pods.of(Pods.container("pg", "data:/data"), Pods.container("x")))
                .editSpec()
                .withTerminationGracePeriodSeconds(own)
                .endSpec()
                .build();
        server.expect().get().withPath(POD).andReturn(200, pod).always();
        server.expect().delete().withPath(POD).andReturn(200, pod).once();
        assertThat(driver.stop("ns", "db-0", "pod-uid", Duration.ofSeconds(maxOutage)))
                .isEqualTo(Acted.DONE);
        assertThat(requests("DELETE").get(0).getBody().readUtf8())
                .contains("\"gracePeriodSeconds\":" + expected)
                .contains("\"preconditions\":{\"uid\":\"pod-uid\"}");
    }

    @Test
    void takesAFailedPreconditionForAnotherPod() {
        server.expect().get().withPath(POD).andReturn(200, pod()).always();
        server.expect().delete().withPath(POD).andReturn(409, failure(409)).always();
        assertThat(driver.stop("ns", "db-0", "pod-uid", MAX_OUTAGE)).isEqualTo(Acted.GONE);
        assertThat(driver.restart("ns", "db-0", "pod-uid")).isEqualTo(Acted.GONE);
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 429, 500})
    void throwsWhatItCannotJudge(int code) {
        server.expect().get().withPath(POD).andReturn(200, pod()).always();
        server.expect().patch().withPath(POD).andReturn(code, failure(code)).always();
        server.expect().delete().withPath(POD).andReturn(code, failure(code)).always();
        assertThatThrownBy(() -> driver.hold("ns", "db-0", "pod-uid")).isInstanceOf(KubernetesClientException.class);
        assertThatThrownBy(() -> driver.stop("ns", "db-0", "pod-uid", MAX_OUTAGE))
                .isInstanceOf(KubernetesClientException.class);
    }
}

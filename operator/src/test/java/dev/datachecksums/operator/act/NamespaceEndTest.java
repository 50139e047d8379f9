package dev.datachecksums.operator.act;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.instance.InstanceDriver;
import dev.datachecksums.operator.instance.WorkloadDriver;
import dev.datachecksums.operator.observe.Observation;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator does on its way out of a namespace that is being deleted. */
class NamespaceEndTest {

    private static final String EVENTS = "/api/v1/namespaces/databases/events?dryRun=All";
    private static final String PODS = "/api/v1/namespaces/databases/pods";
    private static final String DECLARATIONS = "/apis/datachecksums.dev/v1alpha1/namespaces/databases/datachecksums";

    private final KubernetesMockServer server = new KubernetesMockServer(false);
    private KubernetesClient client;
    private NamespaceEnd end;

    @BeforeEach
    void start() {
        server.init();
        client = server.createClient();
        end = new NamespaceEnd(client, new WorkloadDriver(client, "uid", log -> false), "databases");
    }

    @AfterEach
    void stop() {
        client.close();
        server.destroy();
    }

    @Test
    void whereTheNamespaceStaysNothingIsTouched() throws Exception {
        server.expect()
                .post()
                .withPath(EVENTS)
                .andReturn(201, new EventBuilder().build())
                .once();
        end.letGo();
        assertThat(calls()).containsExactly("POST " + EVENTS);
    }

    /** A right that is missing, or has gone already, says nothing of the namespace. */
    @Test
    void aRefusalForAnotherReasonIsNoEnd() throws Exception {
        refuse("");
        end.letGo();
        assertThat(calls()).containsExactly("POST " + EVENTS);
    }

    @Test
    void anApiThatDoesNotAnswerIsNoEnd() throws Exception {
        server.expect()
                .post()
                .withPath(EVENTS)
                .andReturn(500, new StatusBuilder().withCode(500).build())
                .once();
        end.letGo();
        assertThat(calls()).containsExactly("POST " + EVENTS);
    }

    @Test
    void inOneThatGoesOurFinalizersAreRemovedAndNoOthers() throws Exception {
        refuse("NamespaceTerminating");
        Pod held = pod("orders-db-0", InstanceDriver.HOLD);
        there(held, pod("other-0", "somebody/else"));
        server.expect()
                .get()
                .withPath(PODS + "/orders-db-0")
                .andReturn(200, held)
                .always();
        server.expect()
                .patch()
                .withPath(PODS + "/orders-db-0")
                .andReturn(200, held)
                .once();
        server.expect()
                .get()
                .withPath(DECLARATIONS + "/orders")
                .andReturn(200, declaration("orders", Observation.FINALIZER))
                .always();
        server.expect()
                .patch()
                .withPath(DECLARATIONS + "/orders")
                .andReturn(200, declaration("orders", "somebody/else"))
                .once();
        end.letGo();
        assertThat(calls())
                .filteredOn(call -> !call.startsWith("GET"))
                .containsExactly(
                        "POST " + EVENTS, "PATCH " + PODS + "/orders-db-0", "PATCH " + DECLARATIONS + "/orders");
    }

    /** Neither ends the process in another way than it was told to. */
    @Test
    void aRightThatGoesMeanwhileIsNoError() throws Exception {
        refuse("NamespaceTerminating");
        server.expect()
                .get()
                .withPath(PODS)
                .andReturn(403, new StatusBuilder().withCode(403).build())
                .once();
        end.letGo();
        assertThat(calls()).containsExactly("POST " + EVENTS, "GET " + PODS);
    }

    private void refuse(String cause) {
        server.expect()
                .post()
                .withPath(EVENTS)
                .andReturn(
                        403,
                        new StatusBuilder()
                                .withCode(403)
                                .withReason("Forbidden")
                                .withNewDetails()
                                .addNewCause(null, "why", cause)
                                .endDetails()
                                .build())
                .once();
    }

    private void there(Pod... pods) {
        server.expect()
                .get()
                .withPath(PODS)
                .andReturn(200, new PodListBuilder().withItems(pods).build())
                .always();
        server.expect()
                .get()
                .withPath(DECLARATIONS)
                .andReturn(
                        200,
                        "{\"apiVersion\":\"datachecksums.dev/v1alpha1\",\"kind\":\"DataChecksumsList\",\"metadata\":{},\"items\":["
                                + declaration("orders", Observation.FINALIZER) + ","
                                + declaration("at-rest", "somebody/else") + "]}")
                .always();
    }

    private static String declaration(String name, String finalizer) {
        return "{\"apiVersion\":\"datachecksums.dev/v1alpha1\",\"kind\":\"DataChecksums\",\"metadata\":{\"name\":\""
                + name
                + "\",\"namespace\":\"databases\",\"uid\":\"uid-" + name
                + "\",\"resourceVersion\":\"7\",\"finalizers\":[\"" + finalizer + "\"]}}";
    }

    private static Pod pod(String name, String finalizer) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("databases")
                .withUid("uid-" + name)
                .withFinalizers(finalizer)
                .withDeletionTimestamp("2026-12-01T15:00:00Z")
                .endMetadata()
                .build();
    }

    private List<String> calls() throws InterruptedException {
        List<String> calls = new ArrayList<>();
        for (RecordedRequest r = server.takeRequest(0, TimeUnit.SECONDS);
                r != null;
                r = server.takeRequest(0, TimeUnit.SECONDS)) {
            calls.add(r.getMethod() + " " + r.getPath());
        }
        return calls;
    }
}

package dev.datachecksums.e2e.testbed;

import static dev.datachecksums.e2e.testbed.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The three kinds of patches, on both APIs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiPatchContractE2E {
    private final Testbed testbed = Testbeds.open();
    private final KubernetesClient client = testbed.client();
    private final String namespace = testbed.namespace();
    private static final PatchContext JSON = PatchContext.of(PatchType.JSON);
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final PatchContext STRATEGIC = PatchContext.of(PatchType.STRATEGIC_MERGE);

    @AfterAll
    void close() {
        testbed.close();
    }

    @Test
    void aJsonPatchIsAllOrNothing() {
        create("json", Map.of("a", "1", "b", "2"));
        ConfigMap patched = patch("json", JSON, """
                [{"op":"test","path":"/data/a","value":"1"},{"op":"replace","path":"/data/a","value":"3"},
                 {"op":"remove","path":"/data/b"},{"op":"add","path":"/data/c","value":"4"}]
                """);
        assertThat(patched.getData()).containsExactlyInAnyOrderEntriesOf(Map.of("a", "3", "c", "4"));
        refused(422, "Invalid", () -> patch("json", JSON, """
                [{"op":"replace","path":"/data/a","value":"9"},{"op":"test","path":"/data/c","value":"wrong"}]
                """));
        refused(422, "Invalid", () -> patch("json", JSON, "[{\"op\":\"remove\",\"path\":\"/data/none\"}]"));
        assertThat(get("json").getData()).containsEntry("a", "3");
    }

    @Test
    void aMergePatchRemovesByNullAndReplacesLists() {
        create("merge", Map.of("a", "1", "b", "2"));
        ConfigMap patched = patch("merge", MERGE, "{\"data\":{\"a\":null,\"c\":\"3\"}}");
        assertThat(patched.getData()).containsExactlyInAnyOrderEntriesOf(Map.of("b", "2", "c", "3"));
        patch("merge", MERGE, "{\"metadata\":{\"finalizers\":[\"example.com/a\"]}}");
        assertThat(patch("merge", MERGE, "{\"metadata\":{\"finalizers\":[\"example.com/b\"]}}")
                        .getMetadata()
                        .getFinalizers())
                .containsExactly("example.com/b");
        assertThat(patch("merge", MERGE, "{\"metadata\":{\"finalizers\":null}}")
                        .getMetadata()
                        .getFinalizers())
                .isEmpty();
    }

    @Test
    void aPatchWithAVersionIsHeldToIt() {
        ConfigMap made = create("pinned", Map.of());
        patch("pinned", MERGE, "{\"data\":{\"a\":\"1\"}}");
        String stale = "{\"metadata\":{\"resourceVersion\":\"%s\"},\"data\":{\"a\":\"2\"}}"
                .formatted(made.getMetadata().getResourceVersion());
        refused(409, "Conflict", () -> patch("pinned", MERGE, stale));
        refused(404, "NotFound", () -> patch("absent", MERGE, "{}"));
    }

    @Test
    void aStrategicPatchMergesFinalizersAsASet() {
        create("strategic", Map.of("a", "1"));
        patch("strategic", STRATEGIC, "{\"metadata\":{\"finalizers\":[\"example.com/a\"]}}");
        assertThat(patch("strategic", STRATEGIC, "{\"metadata\":{\"finalizers\":[\"example.com/b\"]}}")
                        .getMetadata()
                        .getFinalizers())
                .containsExactlyInAnyOrder("example.com/a", "example.com/b");
        assertThat(patch(
                                "strategic",
                                STRATEGIC,
                                "{\"metadata\":{\"$deleteFromPrimitiveList/finalizers\":[\"example.com/a\"]}}")
                        .getMetadata()
                        .getFinalizers())
                .containsExactly("example.com/b");
        patch("strategic", STRATEGIC, "{\"metadata\":{\"finalizers\":null}}");
        assertThat(get("strategic").getMetadata().getFinalizers()).isEmpty();
    }

    @Test
    void aStrategicPatchMergesContainersByName() {
        testbed.create(PostgresSpec.named("patched").withArguments("-c", "work_mem=8MB"));
        var sets = client.apps().statefulSets().inNamespace(namespace).withName("patched");
        long generation = sets.get().getMetadata().getGeneration();
        StatefulSet patched = sets.patch(STRATEGIC, """
                {"spec":{"template":{"spec":{"containers":[
                  {"name":"postgres","env":[{"name":"MORE","value":"1"},{"name":"POSTGRES_INITDB_ARGS","$patch":"delete"}]}
                ]}}}}
                """);
        var container =
                patched.getSpec().getTemplate().getSpec().getContainers().get(0);
        assertThat(patched.getSpec().getTemplate().getSpec().getContainers()).hasSize(1);
        assertThat(container.getImage()).startsWith("postgres:");
        assertThat(container.getArgs()).containsExactly("-c", "work_mem=8MB");
        assertThat(container.getEnv())
                .extracting(e -> e.getName())
                .contains("MORE", "PGDATA", "POSTGRES_PASSWORD")
                .doesNotContain("POSTGRES_INITDB_ARGS");
        assertThat(patched.getMetadata().getGeneration()).isEqualTo(generation + 1);
        assertThat(refused(422, "Invalid", () -> sets.patch(MERGE, "{\"spec\":{\"serviceName\":\"other\"}}")))
                .contains("updates to statefulset spec for fields other than");
    }

    @Test
    void theScaleIsAViewOfTheReplicas() {
        testbed.create(PostgresSpec.named("scaled"));
        String path = "/apis/apps/v1/namespaces/" + namespace + "/statefulsets/scaled/scale";
        GenericKubernetesResource before = read(client.raw(path));
        assertThat(before.getKind()).isEqualTo("Scale");
        assertThat(before.<Integer>get("spec", "replicas")).isEqualTo(1);
        assertThat(before.<String>get("status", "selector")).isEqualTo("app=scaled");
        // The controller writes too: whoever replaces what it has read must read again.
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptionsMatching(ApiPatchContractE2E::conflict)
                .untilAsserted(() -> {
                    GenericKubernetesResource scale = read(client.raw(path));
                    scale.setAdditionalProperty("spec", Map.of("replicas", 0));
                    client.raw(path, "PUT", Serialization.asJson(scale));
                });
        StatefulSet set = client.apps()
                .statefulSets()
                .inNamespace(namespace)
                .withName("scaled")
                .get();
        assertThat(set.getSpec().getReplicas()).isZero();
        refused(409, "Conflict", () -> client.raw(path, "PUT", Serialization.asJson(before)));
    }

    private static boolean conflict(Throwable thrown) {
        return thrown instanceof KubernetesClientException e && e.getCode() == 409;
    }

    @Test
    void aCustomResourceTakesNoStrategicPatch() {
        try (Widgets widgets = new Widgets(client)) {
            var one = widgets.all().inNamespace(namespace);
            GenericKubernetesResource made = widgets.widget("w", Map.of("size", 1, "tags", List.of("a", "b")));
            one.resource(made).create();
            GenericKubernetesResource merged = one.withName("w").patch(MERGE, "{\"spec\":{\"tags\":[\"c\"]}}");
            assertThat(merged.<List<String>>get("spec", "tags")).containsExactly("c");
            refused(415, "UnsupportedMediaType", () -> one.withName("w").patch(STRATEGIC, "{\"spec\":{\"size\":2}}"));
            GenericKubernetesResource status = one.withName("w")
                    .subresource("status")
                    .patch(MERGE, "{\"status\":{\"phase\":\"Done\"},\"spec\":{\"size\":5}}");
            assertThat(status.<String>get("status", "phase")).isEqualTo("Done");
            assertThat(status.<Integer>get("spec", "size")).isEqualTo(1);
        }
    }

    private static GenericKubernetesResource read(String json) {
        return Serialization.unmarshal(json, GenericKubernetesResource.class);
    }

    private ConfigMap create(String name, Map<String, String> data) {
        return client.configMaps()
                .inNamespace(namespace)
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withData(data)
                        .build())
                .create();
    }

    private ConfigMap get(String name) {
        return client.configMaps().inNamespace(namespace).withName(name).get();
    }

    private ConfigMap patch(String name, PatchContext context, String patch) {
        return client.configMaps().inNamespace(namespace).withName(name).patch(context, patch);
    }
}

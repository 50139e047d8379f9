package dev.datachecksums.e2e.testbed;

import static dev.datachecksums.e2e.testbed.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The three kinds of patches, on both APIs. */
class ApiPatchContractE2E {
    private static final Testbed TESTBED = Testbeds.open();
    private static final KubernetesClient CLIENT = TESTBED.client();
    private static final String NAMESPACE = TESTBED.namespace();
    private static final PatchContext JSON = PatchContext.of(PatchType.JSON);
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final PatchContext STRATEGIC = PatchContext.of(PatchType.STRATEGIC_MERGE);

    @AfterAll
    static void close() {
        TESTBED.close();
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
        TESTBED.create(PostgresSpec.named("patched").withArguments("-c", "work_mem=8MB"));
        var sets = CLIENT.apps().statefulSets().inNamespace(NAMESPACE).withName("patched");
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
        TESTBED.create(PostgresSpec.named("scaled"));
        String path = "/apis/apps/v1/namespaces/" + NAMESPACE + "/statefulsets/scaled/scale";
        GenericKubernetesResource scale = read(CLIENT.raw(path));
        assertThat(scale.getKind()).isEqualTo("Scale");
        assertThat(scale.<Integer>get("spec", "replicas")).isEqualTo(1);
        assertThat(scale.<String>get("status", "selector")).isEqualTo("app=scaled");
        scale.setAdditionalProperty("spec", Map.of("replicas", 0));
        CLIENT.raw(path, "PUT", Serialization.asJson(scale));
        StatefulSet set = CLIENT.apps()
                .statefulSets()
                .inNamespace(NAMESPACE)
                .withName("scaled")
                .get();
        assertThat(set.getSpec().getReplicas()).isZero();
        refused(409, "Conflict", () -> CLIENT.raw(path, "PUT", Serialization.asJson(scale)));
    }

    @Test
    void aCustomResourceTakesNoStrategicPatch() {
        try (Widgets widgets = new Widgets(CLIENT)) {
            var one = widgets.all().inNamespace(NAMESPACE);
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

    private static ConfigMap create(String name, Map<String, String> data) {
        return CLIENT.configMaps()
                .inNamespace(NAMESPACE)
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withData(data)
                        .build())
                .create();
    }

    private static ConfigMap get(String name) {
        return CLIENT.configMaps().inNamespace(NAMESPACE).withName(name).get();
    }

    private static ConfigMap patch(String name, PatchContext context, String patch) {
        return CLIENT.configMaps().inNamespace(NAMESPACE).withName(name).patch(context, patch);
    }
}

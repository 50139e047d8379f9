package dev.datachecksums.e2e.testbed;

import static dev.datachecksums.e2e.testbed.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Creating, changing and deleting objects: the same assertions on the embedded API and on a real one, so that it cannot drift. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiObjectsContractE2E {
    private final Testbed testbed = Testbeds.open();
    private final KubernetesClient client = testbed.client();
    private final String namespace = testbed.namespace();
    private final Widgets widgets = new Widgets(client);

    @BeforeAll
    void serves() {
        assertThat(widgets.all().inNamespace(namespace).list().getItems()).isEmpty();
    }

    @AfterAll
    void close() {
        widgets.close();
        testbed.close();
    }

    @Test
    void whatIsNotThereIsNotFoundAndWhatIsThereAlreadyExists() {
        assertThat(refused(
                        404,
                        "NotFound",
                        () -> client.configMaps().resource(map("absent")).update()))
                .isEqualTo("configmaps \"absent\" not found");
        create("twice");
        assertThat(refused(409, "AlreadyExists", () -> create("twice")))
                .isEqualTo("configmaps \"twice\" already exists");
        ConfigMap elsewhere = new ConfigMapBuilder(map("nowhere"))
                .editMetadata()
                .withNamespace("no-such")
                .endMetadata()
                .build();
        assertThat(refused(404, "NotFound", () -> client.resource(elsewhere).create()))
                .isEqualTo("namespaces \"no-such\" not found");
    }

    @Test
    void aStaleWriteIsAConflictAndOneThatChangesNothingLeavesTheVersion() {
        ConfigMap first = create("locked");
        ConfigMap second = client.resource(with(first, "a", "1")).update();
        assertThat(second.getMetadata().getResourceVersion())
                .isNotEqualTo(first.getMetadata().getResourceVersion());
        assertThat(refused(
                        409,
                        "Conflict",
                        () -> client.resource(with(first, "a", "2")).update()))
                .contains("the object has been modified");
        ConfigMap same = client.resource(with(second, "a", "1")).update();
        assertThat(same.getMetadata().getResourceVersion())
                .isEqualTo(second.getMetadata().getResourceVersion());
    }

    @Test
    void anotherUidIsAConflict() {
        ConfigMap first = create("uid");
        ConfigMap other = new ConfigMapBuilder(with(first, "a", "1"))
                .editMetadata()
                .withUid("b")
                .endMetadata()
                .build();
        refused(409, "Conflict", () -> client.resource(other).update());
    }

    @Test
    void aCustomResourceIsReplacedOnlyUnderItsVersion() {
        GenericKubernetesResource created =
                widget("versioned", Map.of("size", 1)).create();
        created.getMetadata().setResourceVersion(null);
        String body = Serialization.asJson(created);
        refused(422, "Invalid", () -> client.raw(widgets.path(namespace, "/versioned"), "PUT", body));
    }

    @Test
    void defaultsAreFilledInOnEveryWriteAndTheSchemaHolds() {
        GenericKubernetesResource made = widget("defaults", Map.of("size", 1)).create();
        assertThat(made.<String>get("spec", "colour")).isEqualTo("red");
        assertThat(made.<Integer>get("spec", "policy", "attempts")).isEqualTo(3);
        made.setAdditionalProperty("spec", Map.of("size", 2));
        GenericKubernetesResource changed = widgets().resource(made).update();
        assertThat(changed.<String>get("spec", "colour")).isEqualTo("red");

        assertThat(refused(
                        422,
                        "Invalid",
                        () -> widget("bad", Map.of("size", 1, "colour", "blue")).create()))
                .contains("spec.colour", "Unsupported value", "\"green\"");
        assertThat(refused(
                        422, "Invalid", () -> widget("bad", Map.of("size", 0)).create()))
                .contains("spec.size", "should be greater than or equal to 1");
        assertThat(refused(422, "Invalid", () -> widget("bad", Map.of()).create()))
                .contains("spec.size", "Required value");
        refused(422, "Invalid", () -> widget("bad", Map.of("size", "big")).create());
        refused(422, "Invalid", () -> widget("Bad_Name", Map.of("size", 1)).create());
    }

    @Test
    void theGenerationCountsChangesOfTheSpecOnly() {
        GenericKubernetesResource made = widget("generation", Map.of("size", 1)).create();
        assertThat(made.getMetadata().getGeneration()).isEqualTo(1);
        made.getMetadata().setLabels(Map.of("a", "b"));
        made.setAdditionalProperty("status", Map.of("phase", "Nonsense"));
        GenericKubernetesResource labelled = widgets().resource(made).update();
        assertThat(labelled.getMetadata().getGeneration()).isEqualTo(1);
        assertThat(labelled.getMetadata().getLabels()).containsEntry("a", "b");
        assertThat(labelled.<String>get("status", "phase"))
                .as("the main resource does not take a status")
                .isNull();

        labelled.setAdditionalProperty("status", Map.of("phase", "Done"));
        labelled.setAdditionalProperty("spec", Map.of("size", 9));
        GenericKubernetesResource reported = widgets().resource(labelled).updateStatus();
        assertThat(reported.<String>get("status", "phase")).isEqualTo("Done");
        assertThat(reported.<Integer>get("spec", "size"))
                .as("the status does not take a spec")
                .isEqualTo(1);
        assertThat(reported.getMetadata().getGeneration()).isEqualTo(1);
        refused(409, "Conflict", () -> {
            labelled.setAdditionalProperty("status", Map.of("phase", "Stale"));
            widgets().resource(labelled).updateStatus();
        });

        reported.setAdditionalProperty("spec", Map.of("size", 2, "colour", "red", "policy", Map.of("attempts", 3)));
        GenericKubernetesResource resized = widgets().resource(reported).update();
        assertThat(resized.getMetadata().getGeneration()).isEqualTo(2);
        assertThat(resized.<String>get("status", "phase")).isEqualTo("Done");
    }

    @Test
    void aFinalizerKeepsWhatIsDeletedAndNoneCanBeAddedThen() {
        GenericKubernetesResource wanted = widgets.widget("kept", Map.of("size", 1));
        wanted.getMetadata().setFinalizers(List.of("datachecksums.dev/a", "datachecksums.dev/b"));
        GenericKubernetesResource made = widgets().resource(wanted).create();
        widgets().withName("kept").delete();
        GenericKubernetesResource marked = widgets().withName("kept").get();
        assertThat(marked.getMetadata().getDeletionTimestamp()).isNotNull();
        assertThat(marked.getMetadata().getUid()).isEqualTo(made.getMetadata().getUid());
        assertThat(marked.getMetadata().getGeneration()).isEqualTo(2);

        List<String> more = new ArrayList<>(marked.getMetadata().getFinalizers());
        more.add("datachecksums.dev/late");
        GenericKubernetesResource late = widgets().withName("kept").get();
        late.getMetadata().setFinalizers(more);
        assertThat(refused(422, "Invalid", () -> widgets().resource(late).update()))
                .contains("metadata.finalizers");

        marked.getMetadata().setFinalizers(List.of("datachecksums.dev/b"));
        GenericKubernetesResource half = widgets().resource(marked).update();
        half.getMetadata().setFinalizers(List.of());
        widgets().resource(half).update();
        assertThat(widgets().withName("kept").get()).isNull();
    }

    @Test
    void aDeletionHoldsToItsPreconditions() {
        ConfigMap made = create("guarded");
        String path = "/api/v1/namespaces/" + namespace + "/configmaps/guarded";
        String options = "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"preconditions\":{\"%s\":\"%s\"}}";
        assertThat(refused(409, "Conflict", () -> client.raw(path, "DELETE", options.formatted("uid", "other"))))
                .contains("the UID in the precondition (other) does not match the UID in record");
        refused(409, "Conflict", () -> client.raw(path, "DELETE", options.formatted("resourceVersion", "1")));
        assertThat(client.configMaps()
                        .inNamespace(namespace)
                        .withName("guarded")
                        .get())
                .isNotNull();
        client.raw(path, "DELETE", options.formatted("uid", made.getMetadata().getUid()));
        assertThat(client.configMaps()
                        .inNamespace(namespace)
                        .withName("guarded")
                        .get())
                .isNull();
        refused(404, "NotFound", () -> client.raw(path, "DELETE", options.formatted("uid", "other")));
    }

    @Test
    void aDryRunLeavesNothing() {
        client.configMaps().inNamespace(namespace).resource(map("dry")).dryRun().create();
        assertThat(client.configMaps().inNamespace(namespace).withName("dry").get())
                .isNull();
    }

    @Test
    void namesAreGeneratedAndSecretsTakePlainText() {
        ConfigMap made = client.configMaps()
                .inNamespace(namespace)
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withGenerateName("some-")
                        .endMetadata()
                        .build())
                .create();
        assertThat(made.getMetadata().getName()).matches("some-[a-z0-9]{5}");
        assertThat(made.getMetadata().getUid()).isNotEmpty();
        assertThat(made.getMetadata().getCreationTimestamp()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        var secret = client.secrets()
                .inNamespace(namespace)
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("plain")
                        .endMetadata()
                        .addToStringData("password", "x")
                        .build())
                .create();
        assertThat(secret.getData()).containsEntry("password", "eA==");
        assertThat(secret.getType()).isEqualTo("Opaque");
    }

    private ConfigMap create(String name) {
        return client.configMaps().inNamespace(namespace).resource(map(name)).create();
    }

    private ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .build();
    }

    private ConfigMap with(ConfigMap map, String key, String value) {
        return new ConfigMapBuilder(map).addToData(key, value).build();
    }

    private NonNamespaceOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            widgets() {
        return widgets.all().inNamespace(namespace);
    }

    private Resource<GenericKubernetesResource> widget(String name, Map<String, Object> spec) {
        return widgets().resource(widgets.widget(name, spec));
    }
}

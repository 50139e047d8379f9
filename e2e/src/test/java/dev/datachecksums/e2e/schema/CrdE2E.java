package dev.datachecksums.e2e.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.api.v1alpha1.PolicySpec;
import dev.datachecksums.api.v1alpha1.StatusCondition;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Defaults, columns, selectors and the status subresource, by a real API server's word. */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrdE2E {
    private static final StatusCondition READY = new StatusCondition(
            "Ready", "False", 1L, "2026-11-30T12:00:00Z", "Converting", "pg_checksums has done 43%");

    private final RealApi api = new RealApi("dck-crd");

    @BeforeAll
    void install() {
        api.prepare();
    }

    @AfterAll
    void tidy() {
        api.close();
    }

    @Test
    void defaultsAreFilledIn() {
        JsonNode stored = raw(create("defaults"));
        assertThat(Serialization.unmarshal(
                        Serialization.asJson(stored.path("spec").path("policy")), PolicySpec.class))
                .isEqualTo(PolicySpec.DEFAULT);
        assertThat(stored.at("/spec/state").asText()).isEqualTo("Enabled");
        assertThat(stored.at("/spec/suspend").asBoolean(true)).isFalse();
        assertThat(stored.at("/spec/connection/port").asInt()).isEqualTo(5432);
        assertThat(stored.at("/spec/connection/tls/mode").asText()).isEqualTo("Prefer");
        assertThat(stored.at("/spec/instanceRef/kind").asText()).isEqualTo("StatefulSet");
    }

    @Test
    void columnsShowWhatMattersInReadingOrder() {
        DataChecksums resource = create("columns");
        resource.setStatus(status(Phase.REWRITING, READY));
        resources().resource(resource).updateStatus();

        JsonNode table = api.table();
        List<String> shown = new ArrayList<>();
        List<String> wide = new ArrayList<>();
        table.path("columnDefinitions")
                .forEach(column -> (column.path("priority").asInt() == 0 ? shown : wide)
                        .add(column.path("name").asText()));
        assertThat(shown)
                .containsExactly("Name", "Desired", "State", "Phase", "Method", "Progress", "ETA", "Ready", "Age");
        assertThat(wide).containsExactly("Server", "Reason");
        List<String> cells = new ArrayList<>();
        table.path("rows").forEach(row -> {
            if (row.path("cells").path(0).asText().equals("columns")) {
                row.path("cells").forEach(cell -> cells.add(cell.asText()));
            }
        });
        assertThat(cells)
                .startsWith("columns", "Enabled", "Off", "Rewriting", "InPlace", "43%", "5s", "False")
                .endsWith("17.12", "Converting");
    }

    @Test
    void fieldsCanBeSelected() {
        create("selected-not");
        DataChecksums resource = create("selected");
        resource.setStatus(status(Phase.DRIFTED, READY));
        resources().resource(resource).updateStatus();

        assertThat(names("status.phase", "Drifted")).containsExactly("selected");
        assertThat(names("status.state", "On")).isEmpty();
        assertThat(names("spec.state", "Enabled")).contains("selected", "selected-not");
    }

    @Test
    void aWriteOfTheStatusLeavesTheSpecAndItsGeneration() {
        DataChecksums resource = create("subresource");
        resource.setStatus(status(Phase.REWRITING, READY));
        DataChecksums written = resources().resource(resource).updateStatus();
        assertThat(written.getMetadata().getGeneration()).isEqualTo(1);
        assertThat(written.getStatus()).isEqualTo(status(Phase.REWRITING, READY));
    }

    @Test
    void twoConditionsOfOneTypeAreRefused() {
        DataChecksums resource = create("conditions");
        resource.setStatus(status(Phase.REWRITING, READY, READY));
        assertThatThrownBy(() -> resources().resource(resource).updateStatus())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("Duplicate value");
    }

    private DataChecksums create(String name) {
        DataChecksums resource = Serialization.unmarshal("""
                apiVersion: datachecksums.dev/v1alpha1
                kind: DataChecksums
                spec:
                  instanceRef: {name: orders-db}
                  connection: {credentials: {secretName: orders-superuser}}
                """, DataChecksums.class);
        resource.getMetadata().setName(name);
        return resources().resource(resource).create();
    }

    private NonNamespaceOperation<DataChecksums, KubernetesResourceList<DataChecksums>, Resource<DataChecksums>>
            resources() {
        return api.client().resources(DataChecksums.class).inNamespace(api.namespace());
    }

    private JsonNode raw(DataChecksums resource) {
        return Serialization.unmarshal(
                Serialization.asJson(api.dataChecksums()
                        .withName(resource.getMetadata().getName())
                        .get()),
                JsonNode.class);
    }

    private List<String> names(String field, String value) {
        return resources().withField(field, value).list().getItems().stream()
                .map(resource -> resource.getMetadata().getName())
                .toList();
    }

    private static DataChecksumsStatus status(Phase phase, StatusCondition... conditions) {
        DataChecksums resource = Serialization.unmarshal(
                """
                apiVersion: datachecksums.dev/v1alpha1
                kind: DataChecksums
                status:
                  observedGeneration: 1
                  phase: %s
                  state: "Off"
                  method: InPlace
                  server: {version: "17.12", systemIdentifier: "7432100000000000001", address: "10.244.0.7:5432"}
                  progress: {summary: 43%%, percent: 43, bytesDone: 430, bytesTotal: 1000, remaining: 5s}
                  conditions: %s
                """.formatted(Serialization.asJson(phase), Serialization.asJson(List.of(conditions))),
                DataChecksums.class);
        return resource.getStatus();
    }
}

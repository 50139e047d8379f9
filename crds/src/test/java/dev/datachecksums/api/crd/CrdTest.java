package dev.datachecksums.api.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CrdTest {
    /** Surefire runs in the module's folder. */
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private final CustomResourceDefinitionVersion version =
            CrdDocument.generate().definition().getSpec().getVersions().get(0);

    static List<Map.Entry<String, String>> generated() {
        return List.copyOf(WriteGenerated.files().entrySet());
    }

    @ParameterizedTest
    @MethodSource("generated")
    void committedFileIsWhatTheTypesSay(Map.Entry<String, String> file) throws IOException {
        Path committed = ROOT.resolve(file.getKey());
        assertThat(committed)
                .as("missing: run \"make crds\" and commit the result")
                .exists();
        assertThat(Files.readString(committed))
                .as(file.getKey() + " differs from the API types: run \"make crds\" and commit the result")
                .isEqualTo(file.getValue());
    }

    @Test
    void columnsAreInReadingOrder() {
        assertThat(version.getAdditionalPrinterColumns().stream()
                        .filter(column -> column.getPriority() == null || column.getPriority() == 0)
                        .map(CustomResourceColumnDefinition::getName))
                .containsExactly("Desired", "State", "Phase", "Method", "Progress", "ETA", "Ready", "Age");
        assertThat(version.getAdditionalPrinterColumns().stream()
                        .filter(column -> column.getPriority() != null && column.getPriority() == 1)
                        .map(CustomResourceColumnDefinition::getName))
                .containsExactly("Server", "Reason");
    }

    @Test
    void everyFieldIsDescribed() {
        List<String> undescribed = new ArrayList<>();
        JSONSchemaProps schema = version.getSchema().getOpenAPIV3Schema();
        collectUndescribed("", schema, undescribed);
        assertThat(undescribed).isEmpty();
    }

    @Test
    void everyRuleSaysWhatIsWrong() {
        List<String> silent = new ArrayList<>();
        collectSilentRules("", version.getSchema().getOpenAPIV3Schema(), silent);
        assertThat(silent).isEmpty();
    }

    @Test
    void anObjectNeedsASpecAndASpecNeedsAConnection() {
        JSONSchemaProps schema = version.getSchema().getOpenAPIV3Schema();
        assertThat(schema.getRequired()).contains("spec");
        assertThat(CrdDocument.property(schema, "spec").getRequired()).contains("connection");
        assertThat(version.getSubresources().getStatus()).isNotNull();
    }

    private static void collectUndescribed(String path, JSONSchemaProps schema, List<String> found) {
        if (schema.getProperties() != null) {
            schema.getProperties().forEach((name, field) -> {
                if (field.getDescription() == null || field.getDescription().isBlank()) {
                    found.add(path + "." + name);
                }
                collectUndescribed(path + "." + name, field, found);
            });
        }
        if (schema.getItems() != null && schema.getItems().getSchema() != null) {
            collectUndescribed(path + "[]", schema.getItems().getSchema(), found);
        }
    }

    private static void collectSilentRules(String path, JSONSchemaProps schema, List<String> found) {
        if (schema.getXKubernetesValidations() != null) {
            schema.getXKubernetesValidations().stream()
                    .filter(rule ->
                            rule.getMessage() == null || rule.getMessage().isBlank())
                    .forEach(rule -> found.add(path + ": " + rule.getRule()));
        }
        if (schema.getProperties() != null) {
            schema.getProperties().forEach((name, field) -> collectSilentRules(path + "." + name, field, found));
        }
    }
}

package dev.datachecksums.e2e.schema;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The committed CustomResourceDefinition, as the tests need it: what a user can trip over. */
final class CrdSchema {
    /** Surefire runs in the module's folder. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private final CustomResourceDefinition definition;

    private CrdSchema(CustomResourceDefinition definition) {
        this.definition = definition;
    }

    static CrdSchema committed() {
        try {
            return new CrdSchema(Serialization.unmarshal(
                    Files.readString(ROOT.resolve("manifests/crds/datachecksums.dev_datachecksums.yaml")),
                    CustomResourceDefinition.class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    CustomResourceDefinition definition() {
        return definition;
    }

    /** Messages of the CEL rules, at any depth. */
    List<String> ruleMessages() {
        return fields().values().stream()
                .filter(schema -> schema.getXKubernetesValidations() != null)
                .flatMap(schema -> schema.getXKubernetesValidations().stream())
                .map(ValidationRule::getMessage)
                .distinct()
                .toList();
    }

    /** Every field of the spec by its path, such as {@code spec.connection.port}; the spec itself too. */
    Map<String, JSONSchemaProps> fields() {
        JSONSchemaProps root =
                definition.getSpec().getVersions().get(0).getSchema().getOpenAPIV3Schema();
        Map<String, JSONSchemaProps> found = new TreeMap<>();
        collect("spec", Objects.requireNonNull(root.getProperties().get("spec"), "the schema has no spec"), found);
        return found;
    }

    JSONSchemaProps field(String path) {
        return Objects.requireNonNull(fields().get(path), () -> "the CRD has no field " + path);
    }

    /** Paths of the fields that must be given. */
    List<String> required() {
        List<String> required = new ArrayList<>(List.of("spec"));
        fields().forEach((path, schema) -> {
            if (schema.getRequired() != null) {
                schema.getRequired().forEach(name -> required.add(path + "." + name));
            }
        });
        return required;
    }

    private static void collect(String path, JSONSchemaProps schema, Map<String, JSONSchemaProps> found) {
        found.put(path, schema);
        if (schema.getProperties() != null) {
            schema.getProperties().forEach((name, field) -> collect(path + "." + name, field, found));
        }
    }
}

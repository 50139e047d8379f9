package dev.datachecksums.api.crd;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** docs/api.md: every field of the definition, with what a reader of a manifest has to know about it. */
final class ApiReference {
    private final StringBuilder page = new StringBuilder();

    private ApiReference() {}

    static String of(CustomResourceDefinition crd) {
        ApiReference reference = new ApiReference();
        CustomResourceDefinitionVersion version = crd.getSpec().getVersions().get(0);
        JSONSchemaProps schema = version.getSchema().getOpenAPIV3Schema();
        String group = crd.getSpec().getGroup() + "/" + version.getName();
        reference
                .page
                .append("<!-- Made from the CRD by \"make crds\". Do not edit. -->\n\n")
                .append("# API reference: ")
                .append(crd.getSpec().getNames().getKind())
                .append("\n\n`apiVersion: ")
                .append(group)
                .append("`, short name `")
                .append(String.join("`, `", crd.getSpec().getNames().getShortNames()))
                .append("`, ")
                .append(crd.getSpec().getScope().toLowerCase(Locale.ROOT))
                .append(". ")
                .append(schema.getDescription())
                .append("\n\nThe same text is in `kubectl explain ")
                .append(crd.getSpec().getNames().getPlural())
                .append(" --recursive`. Fields for `--field-selector`: ")
                .append(version.getSelectableFields().stream()
                        .map(field -> "`" + field.getJsonPath().substring(1) + "`")
                        .collect(Collectors.joining(", ")))
                .append(".\n");
        reference.section("spec", CrdDocument.property(schema, "spec"));
        reference.section("status", CrdDocument.property(schema, "status"));
        return reference.page.toString();
    }

    private void section(String path, JSONSchemaProps schema) {
        page.append("\n## ")
                .append(path)
                .append("\n\n")
                .append(schema.getDescription())
                .append('\n');
        rules(schema);
        page.append("\n| field | type | default | what it is |\n|---|---|---|---|\n");
        List<Map.Entry<String, JSONSchemaProps>> objects = new ArrayList<>();
        for (Map.Entry<String, JSONSchemaProps> field : schema.getProperties().entrySet()) {
            JSONSchemaProps of = field.getValue();
            boolean required =
                    schema.getRequired() != null && schema.getRequired().contains(field.getKey());
            page.append("| `")
                    .append(field.getKey())
                    .append("` | ")
                    .append(type(of))
                    .append(" | ")
                    .append(required ? "required" : defaultOf(of))
                    .append(" | ")
                    .append(cell(of))
                    .append(" |\n");
            boolean list = "array".equals(of.getType());
            JSONSchemaProps object = list ? of.getItems().getSchema() : of;
            if (object.getProperties() != null && !object.getProperties().isEmpty()) {
                objects.add(Map.entry(path + "." + field.getKey() + (list ? "[]" : ""), object));
            }
        }
        for (Map.Entry<String, JSONSchemaProps> object : objects) {
            JSONSchemaProps described = object.getValue();
            if (described.getDescription() == null) {
                described = withDescription(described, "One entry of the list.");
            }
            section(object.getKey(), described);
        }
    }

    private static JSONSchemaProps withDescription(JSONSchemaProps schema, String description) {
        return schema.edit().withDescription(description).build();
    }

    private void rules(JSONSchemaProps schema) {
        List<ValidationRule> rules = schema.getXKubernetesValidations();
        if (rules != null && !rules.isEmpty()) {
            page.append("\nRefused, with this message:\n\n");
            rules.forEach(rule -> page.append("- ").append(rule.getMessage()).append('\n'));
        }
    }

    private static String type(JSONSchemaProps schema) {
        if ("array".equals(schema.getType())) {
            return "list of " + type(schema.getItems().getSchema());
        }
        return schema.getType();
    }

    private static String defaultOf(JSONSchemaProps schema) {
        if (schema.getDefault() == null || schema.getDefault().isObject()) {
            return "";
        }
        return "`" + schema.getDefault().asText() + "`";
    }

    private static String cell(JSONSchemaProps schema) {
        List<String> parts = new ArrayList<>();
        if (schema.getDescription() != null) {
            parts.add(schema.getDescription().replace("|", "\\|"));
        }
        if (schema.getEnum() != null && !schema.getEnum().isEmpty()) {
            parts.add("One of "
                    + schema.getEnum().stream()
                            .map(value -> "`" + value.asText() + "`")
                            .collect(Collectors.joining(", "))
                    + ".");
        }
        if (schema.getMinimum() != null && schema.getMaximum() != null) {
            parts.add("From " + schema.getMinimum().longValue() + " to "
                    + schema.getMaximum().longValue() + ".");
        }
        if (schema.getPattern() != null) {
            parts.add("Matches `" + schema.getPattern().replace("|", "\\|") + "`.");
        }
        return String.join(" ", parts);
    }
}

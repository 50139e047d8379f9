package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A structural schema's defaults, and the plain part of its validation: no CEL, no pruning. */
final class Schemas {
    private Schemas() {}

    /** Fills absent fields from their defaults, outermost first, as the real server does. */
    static void fillDefaults(JsonNode value, JsonNode schema) {
        if (value instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> property :
                    schema.path("properties").properties()) {
                String key = property.getKey();
                JsonNode sub = property.getValue();
                boolean absent = !object.has(key)
                        || (object.get(key).isNull() && !sub.path("nullable").asBoolean());
                if (absent && sub.has("default")) {
                    object.set(key, sub.get("default").deepCopy());
                }
                if (object.has(key)) {
                    fillDefaults(object.get(key), sub);
                }
            }
            JsonNode additional = schema.path("additionalProperties");
            if (additional.isObject()) {
                object.forEach(v -> fillDefaults(v, additional));
            }
        } else if (value.isArray()) {
            value.forEach(v -> fillDefaults(v, schema.path("items")));
        }
    }

    static void validate(JsonNode value, JsonNode schema, String field, List<ApiException.Cause> faults) {
        if (value.isNull() && schema.path("nullable").asBoolean()) {
            return;
        }
        String type = schema.path("type").asText("");
        if (!hasType(value, type) && !schema.path("x-kubernetes-int-or-string").asBoolean()) {
            faults.add(new ApiException.Cause(
                    field,
                    "FieldValueTypeInvalid",
                    "Invalid value: \"%s\": %s in body must be of type %s: \"%s\""
                            .formatted(kind(value), field, type, kind(value))));
            return;
        }
        if (schema.has("enum") && !contains(schema.get("enum"), value)) {
            faults.add(new ApiException.Cause(
                    field,
                    "FieldValueNotSupported",
                    "Unsupported value: %s: supported values: %s"
                            .formatted(
                                    value,
                                    String.join(
                                            ", ",
                                            Json.items(schema.get("enum")).stream()
                                                    .map(JsonNode::toString)
                                                    .toList()))));
        }
        bounds(value, schema, field, faults);
        for (JsonNode required : schema.path("required")) {
            if (!value.has(required.asText())) {
                faults.add(ApiException.Cause.required(join(field, required.asText())));
            }
        }
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            boolean objectMeta = field.isEmpty() && property.getKey().equals("metadata");
            if (value.has(property.getKey()) && !objectMeta) {
                validate(value.get(property.getKey()), property.getValue(), join(field, property.getKey()), faults);
            }
        }
        if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                validate(value.get(i), schema.path("items"), field + "[" + i + "]", faults);
            }
        }
    }

    private static void bounds(JsonNode value, JsonNode schema, String field, List<ApiException.Cause> faults) {
        if (value.isNumber()) {
            if (schema.has("minimum")
                    && value.asDouble() < schema.get("minimum").asDouble()) {
                faults.add(ApiException.Cause.invalid(
                        field, "%s: should be greater than or equal to %s".formatted(value, schema.get("minimum"))));
            }
            if (schema.has("maximum")
                    && value.asDouble() > schema.get("maximum").asDouble()) {
                faults.add(ApiException.Cause.invalid(
                        field, "%s: should be less than or equal to %s".formatted(value, schema.get("maximum"))));
            }
        }
        if (value.isTextual()) {
            String text = value.asText();
            if (schema.has("pattern")
                    && !Pattern.compile(schema.get("pattern").asText())
                            .matcher(text)
                            .find()) {
                faults.add(ApiException.Cause.invalid(
                        field,
                        "%s: should match '%s'"
                                .formatted(value, schema.get("pattern").asText())));
            }
            if (text.length() > schema.path("maxLength").asInt(Integer.MAX_VALUE)
                    || text.length() < schema.path("minLength").asInt(0)) {
                faults.add(ApiException.Cause.invalid(field, value + ": its length is not allowed"));
            }
        }
    }

    private static boolean hasType(JsonNode value, String type) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "boolean" -> value.isBoolean();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            default -> true;
        };
    }

    private static String kind(JsonNode value) {
        return value.isNull() ? "null" : value.getNodeType().toString().toLowerCase(java.util.Locale.ROOT);
    }

    private static boolean contains(JsonNode values, JsonNode value) {
        return Json.items(values).contains(value);
    }

    private static String join(String field, String key) {
        return field.isEmpty() ? key : field + "." + key;
    }
}

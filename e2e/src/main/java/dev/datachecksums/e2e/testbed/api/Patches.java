package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** The three patch formats that the operator and kubectl send. Server-side apply is answered with 415. */
final class Patches {
    private Patches() {}

    /** The patched copy of an object. */
    static ObjectNode apply(ResourceType type, String mediaType, ObjectNode old, JsonNode patch) {
        return switch (mediaType) {
            case "application/json-patch+json" -> jsonPatch(type, old, patch);
            case "application/merge-patch+json" -> (ObjectNode) merge(old, patch);
            case "application/strategic-merge-patch+json" -> {
                if (type.custom()) {
                    throw ApiException.unsupportedMediaType(mediaType);
                }
                yield StrategicMerge.apply(old, (ObjectNode) patch);
            }
            default -> throw ApiException.unsupportedMediaType(mediaType);
        };
    }

    private static ObjectNode jsonPatch(ResourceType type, ObjectNode old, JsonNode patch) {
        if (!patch.isArray()) {
            throw ApiException.badRequest("a JSON patch is a list of operations");
        }
        try {
            return (ObjectNode) JsonPatch.apply(patch, old);
        } catch (JsonPatch.DoesNotApplyException e) {
            throw ApiException.invalid(
                    type,
                    Json.text(old, "metadata.name"),
                    List.of(ApiException.Cause.invalid("patch", String.valueOf(e.getMessage()))));
        }
    }

    /** RFC 7386. */
    static JsonNode merge(JsonNode old, JsonNode patch) {
        if (!patch.isObject()) {
            return patch.deepCopy();
        }
        ObjectNode result = old.isObject() ? old.deepCopy() : Json.object();
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            if (entry.getValue().isNull()) {
                result.remove(entry.getKey());
            } else {
                result.set(entry.getKey(), merge(result.path(entry.getKey()), entry.getValue()));
            }
        }
        return result;
    }
}

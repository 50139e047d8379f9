package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** How this API reads and writes JSON: objects are Jackson trees, changed only before they are stored. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    public static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    static JsonNode read(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw ApiException.badRequest("the body is not JSON: " + e.getMessage());
        }
    }

    public static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A tree of a typed model object. */
    public static ObjectNode tree(Object model) {
        return MAPPER.valueToTree(model);
    }

    /** The typed model of a tree; unknown fields follow the model's own annotations. */
    public static <T> T model(JsonNode node, Class<T> type) {
        try {
            return MAPPER.treeToValue(node, type);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The node at a dotted path; a missing node where there is none. Keys that contain dots cannot be named so. */
    public static JsonNode at(JsonNode node, String dotted) {
        JsonNode here = node;
        for (String key : dotted.split("\\.", -1)) {
            here = here.path(key);
        }
        return here;
    }

    public static String text(JsonNode node, String dotted) {
        return at(node, dotted).asText("");
    }

    public static ObjectNode metadata(JsonNode object) {
        return (ObjectNode) object.get("metadata");
    }

    /** The object at a key, created where it is absent or null. */
    public static ObjectNode child(ObjectNode node, String key) {
        return node.get(key) instanceof ObjectNode o ? o : node.putObject(key);
    }

    public static List<JsonNode> items(JsonNode arrayOrMissing) {
        return StreamSupport.stream(arrayOrMissing.spliterator(), false).toList();
    }

    public static List<String> strings(JsonNode arrayOrMissing) {
        List<String> all = new ArrayList<>();
        arrayOrMissing.forEach(n -> all.add(n.asText()));
        return all;
    }

    /** The time as Kubernetes writes it: UTC, whole seconds. */
    public static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static void defaultTo(ObjectNode node, String key, String value) {
        if (!node.hasNonNull(key)) {
            node.put(key, value);
        }
    }

    static void defaultTo(ObjectNode node, String key, int value) {
        if (!node.hasNonNull(key)) {
            node.put(key, value);
        }
    }

    static void defaultTo(ObjectNode node, String key, boolean value) {
        if (!node.hasNonNull(key)) {
            node.put(key, value);
        }
    }

    /** Keeps or drops a key of {@code target} so that it is what {@code source} has. */
    static void copy(String key, JsonNode source, ObjectNode target) {
        JsonNode value = source.get(key);
        if (value == null) {
            target.remove(key);
        } else {
            target.set(key, value);
        }
    }
}

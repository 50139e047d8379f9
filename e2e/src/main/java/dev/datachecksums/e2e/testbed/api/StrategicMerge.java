package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The strategic merge patch of built-in kinds: lists of objects merge by the key that the Kubernetes types name, finalizers merge as a set,
 * every other list is replaced. The directives {@code $patch}, {@code $deleteFromPrimitiveList}, {@code $setElementOrder} and {@code
 * $retainKeys} are obeyed.
 */
final class StrategicMerge {
    /** The merge keys of the lists that merge, by the name of the field: it is unambiguous among the served kinds but for ports. */
    private static final Map<String, List<String>> MERGE_KEYS = Map.ofEntries(
            Map.entry("containers", List.of("name")),
            Map.entry("initContainers", List.of("name")),
            Map.entry("ephemeralContainers", List.of("name")),
            Map.entry("env", List.of("name")),
            Map.entry("volumes", List.of("name")),
            Map.entry("volumeMounts", List.of("mountPath")),
            Map.entry("volumeDevices", List.of("devicePath")),
            Map.entry("imagePullSecrets", List.of("name")),
            Map.entry("secrets", List.of("name")),
            Map.entry("hostAliases", List.of("ip")),
            Map.entry("topologySpreadConstraints", List.of("topologyKey")),
            Map.entry("ports", List.of("containerPort", "port")),
            Map.entry("conditions", List.of("type")),
            Map.entry("podIPs", List.of("ip")),
            Map.entry("ownerReferences", List.of("uid")));

    private static final Set<String> SETS = Set.of("finalizers");
    private static final String ORDER = "$setElementOrder/";
    private static final String REMOVE = "$deleteFromPrimitiveList/";

    private StrategicMerge() {}

    static ObjectNode apply(ObjectNode old, ObjectNode patch) {
        ObjectNode result = old.deepCopy();
        mergeInto(result, patch);
        return result;
    }

    private static void mergeInto(ObjectNode target, ObjectNode patch) {
        switch (patch.path("$patch").asText("")) {
            case "replace" -> {
                target.removeAll();
                patch.properties().stream()
                        .filter(e -> !e.getKey().startsWith("$"))
                        .forEach(e -> target.set(e.getKey(), e.getValue().deepCopy()));
                return;
            }
            case "delete" -> {
                target.removeAll();
                return;
            }
            default -> {
                // an ordinary merge
            }
        }
        if (patch.has("$retainKeys")) {
            target.retain(Json.strings(patch.get("$retainKeys")));
        }
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            String key = entry.getKey();
            JsonNode value = entry.getValue();
            if (key.startsWith(REMOVE)) {
                removePrimitives(target, key.substring(REMOVE.length()), value);
            } else if (!key.startsWith("$")) {
                mergeField(target, key, value);
            }
        }
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            if (entry.getKey().startsWith(ORDER)) {
                order(target, entry.getKey().substring(ORDER.length()), entry.getValue());
            }
        }
    }

    private static void mergeField(ObjectNode target, String key, JsonNode value) {
        if (value.isNull()) {
            target.remove(key);
        } else if (value instanceof ObjectNode object) {
            ObjectNode child = target.get(key) instanceof ObjectNode existing ? existing : Json.object();
            mergeInto(child, object);
            target.set(key, child);
        } else if (value instanceof ArrayNode list && SETS.contains(key)) {
            ArrayNode existing = target.get(key) instanceof ArrayNode a ? a : target.putArray(key);
            for (JsonNode item : list) {
                if (!Json.items(existing).contains(item)) {
                    existing.add(item);
                }
            }
        } else if (value instanceof ArrayNode list && MERGE_KEYS.containsKey(key) && ofObjects(list)) {
            ArrayNode existing = target.get(key) instanceof ArrayNode a ? a : target.putArray(key);
            mergeList(key, existing, list);
        } else {
            target.set(key, value.deepCopy());
        }
    }

    private static void mergeList(String field, ArrayNode existing, ArrayNode patch) {
        for (JsonNode item : patch) {
            if (item.path("$patch").asText().equals("replace")) {
                existing.removeAll();
            }
        }
        for (JsonNode item : patch) {
            String directive = item.path("$patch").asText("");
            if (directive.equals("replace")) {
                continue;
            }
            int at = indexOf(field, existing, item);
            if (directive.equals("delete")) {
                if (at >= 0) {
                    existing.remove(at);
                }
            } else if (at >= 0) {
                mergeInto((ObjectNode) existing.get(at), (ObjectNode) item);
            } else {
                ObjectNode added = Json.object();
                mergeInto(added, (ObjectNode) item);
                existing.add(added);
            }
        }
    }

    private static int indexOf(String field, ArrayNode list, JsonNode item) {
        for (String key : MERGE_KEYS.getOrDefault(field, List.of())) {
            if (item.has(key)) {
                for (int i = 0; i < list.size(); i++) {
                    if (list.get(i).path(key).equals(item.get(key))) {
                        return i;
                    }
                }
                return -1;
            }
        }
        return -1;
    }

    private static void removePrimitives(ObjectNode target, String key, JsonNode values) {
        if (target.get(key) instanceof ArrayNode list) {
            Set<JsonNode> gone = Set.copyOf(Json.items(values));
            ArrayNode kept = Json.array();
            list.forEach(item -> {
                if (!gone.contains(item)) {
                    kept.add(item);
                }
            });
            target.set(key, kept);
        }
    }

    /** Puts the named elements in the given order; the others keep their place behind them. */
    private static void order(ObjectNode target, String field, JsonNode wanted) {
        if (!(target.get(field) instanceof ArrayNode list)) {
            return;
        }
        List<JsonNode> rest = new ArrayList<>(Json.items(list));
        ArrayNode ordered = Json.array();
        for (JsonNode item : wanted) {
            int at = item.isObject()
                    ? indexOf(field, list, item)
                    : Json.items(list).indexOf(item);
            if (at >= 0 && rest.remove(list.get(at))) {
                ordered.add(list.get(at));
            }
        }
        ordered.addAll(rest);
        target.set(field, ordered);
    }

    private static boolean ofObjects(ArrayNode list) {
        return Json.items(list).stream().allMatch(JsonNode::isObject);
    }
}

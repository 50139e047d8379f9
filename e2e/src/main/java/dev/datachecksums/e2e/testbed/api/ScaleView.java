package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The {@code /scale} of a workload: a view of its replica count. */
final class ScaleView {
    private ScaleView() {}

    static ObjectNode of(ObjectNode workload) {
        ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String key : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            Json.copy(key, Json.metadata(workload), metadata);
        }
        scale.putObject("spec")
                .put("replicas", Json.at(workload, "spec.replicas").asInt());
        ObjectNode status = scale.putObject("status");
        status.put("replicas", Json.at(workload, "status.replicas").asInt());
        status.put("selector", selector(Json.at(workload, "spec.selector.matchLabels")));
        return scale;
    }

    /** The workload with the replica count, and under the version, of a changed view. */
    static ObjectNode into(ObjectNode workload, ObjectNode scale) {
        JsonNode replicas = Json.at(scale, "spec.replicas");
        if (!replicas.isInt() || replicas.asInt() < 0) {
            throw ApiException.badRequest("spec.replicas must be a number that is not negative");
        }
        Json.child(workload, "spec").put("replicas", replicas.asInt());
        String version = Json.text(scale, "metadata.resourceVersion");
        if (!version.isEmpty()) {
            Json.metadata(workload).put("resourceVersion", version);
        }
        return workload;
    }

    private static String selector(JsonNode labels) {
        return labels.properties().stream()
                .map((Map.Entry<String, JsonNode> e) ->
                        e.getKey() + "=" + e.getValue().asText())
                .collect(Collectors.joining(","));
    }
}

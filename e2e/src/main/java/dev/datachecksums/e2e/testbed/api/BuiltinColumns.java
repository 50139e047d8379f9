package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.ResourceType.Column;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.stream.Collectors;

/** The columns that kubectl shows of built-in kinds. A path that begins with = names a computed value. */
final class BuiltinColumns {
    private static final Column AGE = new Column("Age", "date", 0, ".metadata.creationTimestamp");

    private BuiltinColumns() {}

    static List<Column> of(ResourceType type) {
        return switch (type.qualifiedName()) {
            case "pods" ->
                List.of(
                        text("Ready", "=ready"),
                        text("Status", "=podStatus"),
                        text("Restarts", "=restarts"),
                        AGE,
                        wide("IP", ".status.podIP"),
                        wide("Node", ".spec.nodeName"),
                        wide("Nominated Node", ".status.nominatedNodeName"),
                        wide("Readiness Gates", ".spec.readinessGates"));
            case "statefulsets.apps" ->
                List.of(text("Ready", "=replicas"), AGE, wide("Containers", "=containers"), wide("Images", "=images"));
            case "jobs.batch" ->
                List.of(
                        text("Status", "=jobStatus"),
                        text("Completions", "=completions"),
                        text("Duration", "=jobDuration"),
                        AGE,
                        wide("Containers", "=containers"),
                        wide("Images", "=images"));
            case "namespaces" -> List.of(text("Status", ".status.phase"), AGE);
            case "nodes" -> List.of(text("Status", "=nodeStatus"), text("Roles", "=none"), AGE);
            case "secrets" -> List.of(text("Type", ".type"), text("Data", "=data"), AGE);
            case "configmaps" -> List.of(text("Data", "=data"), AGE);
            case "services" ->
                List.of(
                        text("Type", ".spec.type"),
                        text("Cluster-IP", ".spec.clusterIP"),
                        text("External-IP", "=none"),
                        text("Port(s)", "=ports"),
                        AGE);
            case "persistentvolumeclaims" ->
                List.of(
                        text("Status", ".status.phase"),
                        text("Volume", ".spec.volumeName"),
                        text("Capacity", ".spec.resources.requests.storage"),
                        text("Access Modes", "=accessModes"),
                        text("StorageClass", ".spec.storageClassName"),
                        AGE);
            case "poddisruptionbudgets.policy" ->
                List.of(
                        text("Min Available", ".spec.minAvailable"),
                        text("Max Unavailable", ".spec.maxUnavailable"),
                        text("Allowed Disruptions", ".status.disruptionsAllowed"),
                        AGE);
            case "leases.coordination.k8s.io" -> List.of(text("Holder", ".spec.holderIdentity"), AGE);
            case "events" ->
                List.of(
                        text("Last Seen", "=lastSeen"),
                        text("Type", ".type"),
                        text("Reason", ".reason"),
                        text("Object", "=object"),
                        text("Message", ".message"));
            case "customresourcedefinitions.apiextensions.k8s.io" ->
                List.of(new Column("Created At", "string", 0, ".metadata.creationTimestamp"));
            default -> List.of();
        };
    }

    static String computed(ResourceType type, String what, ObjectNode object) {
        return switch (what) {
            case "ready" -> {
                List<JsonNode> all = Json.items(Json.at(object, "status.containerStatuses"));
                long ready =
                        all.stream().filter(c -> c.path("ready").asBoolean()).count();
                yield ready + "/" + Json.at(object, "spec.containers").size();
            }
            case "podStatus" -> podStatus(object);
            case "restarts" ->
                String.valueOf(Json.items(Json.at(object, "status.containerStatuses")).stream()
                        .mapToInt(c -> c.path("restartCount").asInt())
                        .sum());
            case "replicas" ->
                Json.at(object, "status.readyReplicas").asInt(0) + "/"
                        + Json.at(object, "spec.replicas").asInt();
            case "jobStatus" -> jobStatus(object);
            case "completions" ->
                Json.at(object, "status.succeeded").asInt(0) + "/"
                        + Json.at(object, "spec.completions").asInt(1);
            case "jobDuration" -> jobDuration(object);
            case "containers" -> each(object, "name");
            case "images" -> each(object, "image");
            case "data" -> String.valueOf(object.path("data").size());
            case "accessModes" ->
                String.join(",", Json.strings(Json.at(object, "spec.accessModes")))
                        .replace("ReadWriteOnce", "RWO");
            case "ports" ->
                Json.items(Json.at(object, "spec.ports")).stream()
                        .map(p -> p.path("port").asText() + "/"
                                + p.path("protocol").asText())
                        .collect(Collectors.joining(","));
            case "lastSeen" -> {
                String last = Json.text(object, "lastTimestamp");
                String series = Json.text(object, "series.lastObservedTime");
                String event = series.isEmpty() ? Json.text(object, "eventTime") : series;
                String created = Json.text(object, "metadata.creationTimestamp");
                yield Tables.age(!last.isEmpty() ? last : !event.isEmpty() ? event : created);
            }
            case "object" ->
                Json.text(object, "involvedObject.kind").toLowerCase(java.util.Locale.ROOT) + "/"
                        + Json.text(object, "involvedObject.name");
            case "nodeStatus" -> "Ready";
            default -> type.kind().isEmpty() ? "" : "<none>";
        };
    }

    private static String podStatus(ObjectNode pod) {
        String status = Json.text(pod, "status.phase");
        String reason = Json.text(pod, "status.reason");
        if (!reason.isEmpty()) {
            status = reason;
        }
        for (JsonNode container : Json.at(pod, "status.containerStatuses")) {
            String waiting = Json.text(container, "state.waiting.reason");
            String terminated = Json.text(container, "state.terminated.reason");
            if (!waiting.isEmpty()) {
                status = waiting;
            } else if (!terminated.isEmpty()) {
                status = terminated;
            }
        }
        return Json.metadata(pod).has("deletionTimestamp") ? "Terminating" : status;
    }

    private static String jobStatus(ObjectNode job) {
        for (JsonNode condition : Json.at(job, "status.conditions")) {
            String type = condition.path("type").asText();
            boolean holds = condition.path("status").asText().equals("True");
            if (holds && (type.equals("Complete") || type.equals("Failed"))) {
                return type;
            }
        }
        return Json.metadata(job).has("deletionTimestamp") ? "Terminating" : "Running";
    }

    private static String jobDuration(ObjectNode job) {
        String start = Json.text(job, "status.startTime");
        if (start.isEmpty()) {
            return "";
        }
        String end = Json.text(job, "status.completionTime");
        Instant until =
                end.isEmpty() ? Instant.now() : OffsetDateTime.parse(end).toInstant();
        return Tables.duration(Duration.between(OffsetDateTime.parse(start).toInstant(), until));
    }

    private static String each(ObjectNode workload, String key) {
        return Json.items(Json.at(workload, "spec.template.spec.containers")).stream()
                .map(c -> c.path(key).asText())
                .collect(Collectors.joining(","));
    }

    private static Column text(String name, String path) {
        return new Column(name, "string", 0, path);
    }

    private static Column wide(String name, String path) {
        return new Column(name, "string", 1, path);
    }
}

package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** The defaults of built-in kinds that something here or in the operator reads. */
final class BuiltinDefaults {
    private BuiltinDefaults() {}

    static void fill(ResourceType type, ObjectNode object) {
        switch (type.qualifiedName()) {
            case "pods" -> pod(object);
            case "statefulsets.apps" -> statefulSet(object);
            case "deployments.apps" -> deployment(object);
            case "jobs.batch" -> job(object);
            case "namespaces" -> namespace(object);
            case "secrets" -> secret(object);
            case "services" -> service(object);
            case "persistentvolumeclaims" -> claim(object);
            case "customresourcedefinitions.apiextensions.k8s.io" -> TypeRegistry.accept(object);
            case "events" -> Json.defaultTo(object, "type", "Normal");
            default -> {
                // nothing is read of the others that they do not say
            }
        }
    }

    private static void pod(ObjectNode pod) {
        podSpec(Json.child(pod, "spec"), "Always");
        ObjectNode status = Json.child(pod, "status");
        Json.defaultTo(status, "phase", "Pending");
        Json.defaultTo(status, "qosClass", "BestEffort");
    }

    private static void podSpec(ObjectNode spec, String restartPolicy) {
        Json.defaultTo(spec, "restartPolicy", restartPolicy);
        Json.defaultTo(spec, "terminationGracePeriodSeconds", 30);
        Json.defaultTo(spec, "dnsPolicy", "ClusterFirst");
        Json.defaultTo(spec, "schedulerName", "default-scheduler");
        Json.defaultTo(spec, "serviceAccountName", "default");
        Json.child(spec, "securityContext");
        for (String list : new String[] {"initContainers", "containers"}) {
            for (JsonNode each : spec.path(list)) {
                ObjectNode container = (ObjectNode) each;
                String image = container.path("image").asText();
                boolean floating = !image.contains(":") || image.endsWith(":latest");
                Json.defaultTo(container, "imagePullPolicy", floating ? "Always" : "IfNotPresent");
                Json.defaultTo(container, "terminationMessagePath", "/dev/termination-log");
                Json.defaultTo(container, "terminationMessagePolicy", "File");
                Json.child(container, "resources");
            }
        }
    }

    private static void statefulSet(ObjectNode set) {
        ObjectNode spec = Json.child(set, "spec");
        Json.defaultTo(spec, "replicas", 1);
        Json.defaultTo(spec, "podManagementPolicy", "OrderedReady");
        Json.defaultTo(spec, "revisionHistoryLimit", 10);
        ObjectNode strategy = Json.child(spec, "updateStrategy");
        Json.defaultTo(strategy, "type", "RollingUpdate");
        if (strategy.path("type").asText().equals("RollingUpdate")) {
            Json.defaultTo(Json.child(strategy, "rollingUpdate"), "partition", 0);
        }
        ObjectNode retention = Json.child(spec, "persistentVolumeClaimRetentionPolicy");
        Json.defaultTo(retention, "whenDeleted", "Retain");
        Json.defaultTo(retention, "whenScaled", "Retain");
        podSpec(Json.child(Json.child(spec, "template"), "spec"), "Always");
        for (JsonNode claim : spec.path("volumeClaimTemplates")) {
            claim((ObjectNode) claim);
        }
        Json.defaultTo(Json.child(set, "status"), "replicas", 0);
    }

    private static void deployment(ObjectNode deployment) {
        ObjectNode spec = Json.child(deployment, "spec");
        Json.defaultTo(spec, "replicas", 1);
        Json.defaultTo(spec, "revisionHistoryLimit", 10);
        ObjectNode strategy = Json.child(spec, "strategy");
        Json.defaultTo(strategy, "type", "RollingUpdate");
        if (strategy.path("type").asText().equals("RollingUpdate")) {
            ObjectNode rolling = Json.child(strategy, "rollingUpdate");
            Json.defaultTo(rolling, "maxSurge", "25%");
            Json.defaultTo(rolling, "maxUnavailable", "25%");
        }
        podSpec(Json.child(Json.child(spec, "template"), "spec"), "Always");
        Json.child(deployment, "status");
    }

    /** The uid must be there already: it is the selector. */
    private static void job(ObjectNode job) {
        ObjectNode spec = Json.child(job, "spec");
        Json.defaultTo(spec, "backoffLimit", 6);
        Json.defaultTo(spec, "completions", 1);
        Json.defaultTo(spec, "parallelism", 1);
        Json.defaultTo(spec, "completionMode", "NonIndexed");
        Json.defaultTo(spec, "suspend", false);
        Json.defaultTo(spec, "podReplacementPolicy", "TerminatingOrFailed");
        Json.child(job, "status");
        ObjectNode template = Json.child(spec, "template");
        podSpec(Json.child(template, "spec"), "Never");
        String uid = Json.text(job, "metadata.uid");
        if (!spec.path("manualSelector").asBoolean() && !spec.hasNonNull("selector")) {
            ObjectNode wanted = Json.child(Json.child(spec, "selector"), "matchLabels");
            wanted.put("batch.kubernetes.io/controller-uid", uid);
            String name = Json.text(job, "metadata.name");
            ObjectNode labels = Json.child(Json.child(template, "metadata"), "labels");
            labels.put("batch.kubernetes.io/controller-uid", uid).put("controller-uid", uid);
            labels.put("batch.kubernetes.io/job-name", name).put("job-name", name);
        }
    }

    private static void namespace(ObjectNode namespace) {
        String name = Json.text(namespace, "metadata.name");
        Json.child(Json.metadata(namespace), "labels").put("kubernetes.io/metadata.name", name);
        ObjectNode spec = Json.child(namespace, "spec");
        if (!spec.has("finalizers")) {
            spec.putArray("finalizers").add("kubernetes");
        }
        Json.defaultTo(Json.child(namespace, "status"), "phase", "Active");
    }

    private static void secret(ObjectNode secret) {
        Json.defaultTo(secret, "type", "Opaque");
        if (secret.remove("stringData") instanceof ObjectNode plain) {
            ObjectNode data = Json.child(secret, "data");
            for (Map.Entry<String, JsonNode> entry : plain.properties()) {
                byte[] bytes = entry.getValue().asText().getBytes(StandardCharsets.UTF_8);
                data.put(entry.getKey(), Base64.getEncoder().encodeToString(bytes));
            }
        }
    }

    private static void service(ObjectNode service) {
        ObjectNode spec = Json.child(service, "spec");
        Json.defaultTo(spec, "type", "ClusterIP");
        Json.defaultTo(spec, "sessionAffinity", "None");
        var random = ThreadLocalRandom.current();
        Json.defaultTo(spec, "clusterIP", "10.96.%d.%d".formatted(random.nextInt(256), 1 + random.nextInt(254)));
        for (JsonNode port : spec.path("ports")) {
            Json.defaultTo((ObjectNode) port, "protocol", "TCP");
            if (!port.has("targetPort")) {
                ((ObjectNode) port).set("targetPort", port.path("port"));
            }
        }
        Json.child(Json.child(service, "status"), "loadBalancer");
    }

    private static void claim(ObjectNode claim) {
        Json.defaultTo(Json.child(claim, "spec"), "volumeMode", "Filesystem");
        Json.defaultTo(Json.child(claim, "status"), "phase", "Pending");
    }
}

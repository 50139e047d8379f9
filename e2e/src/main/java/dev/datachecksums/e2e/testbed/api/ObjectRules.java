package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.ApiException.Cause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** What an object must be, and what the server writes into it, when it is created and when it is changed. */
final class ObjectRules {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");
    private static final String SUFFIX = "bcdfghjklmnpqrstvwxz2456789";
    private static final Set<String> GENERATED =
            Set.of("pods", "statefulsets.apps", "deployments.apps", "jobs.batch", "poddisruptionbudgets.policy");

    private ObjectRules() {}

    /** The object to store for a creation. */
    static ObjectNode forCreation(ResourceType type, String namespace, ObjectNode body) {
        ObjectNode object = body.deepCopy();
        checkKind(type, object);
        ObjectNode metadata = Json.child(object, "metadata");
        if (!metadata.hasNonNull("name") && metadata.hasNonNull("generateName")) {
            metadata.put("name", metadata.get("generateName").asText() + suffix());
        }
        String name = metadata.path("name").asText("");
        String stated = metadata.path("namespace").asText(namespace);
        if (type.namespaced() && !stated.equals(namespace)) {
            throw ApiException.badRequest(
                    "the namespace of the provided object does not match the namespace sent on" + " the request");
        }
        List<Cause> faults = new ArrayList<>();
        if (name.isEmpty()) {
            faults.add(new Cause(
                    "metadata.name", "FieldValueRequired", "Required value: name or generateName is required"));
        } else if (!NAME.matcher(name).matches() && !type.group().startsWith("rbac.")) {
            faults.add(
                    Cause.invalid("metadata.name", "\"%s\": a lowercase RFC 1123 subdomain is needed".formatted(name)));
        }
        if (metadata.hasNonNull("resourceVersion")
                && !metadata.get("resourceVersion").asText().isEmpty()) {
            throw ApiException.badRequest("resourceVersion should not be set on objects to be created");
        }
        if (type.namespaced()) {
            metadata.put("namespace", namespace);
        } else {
            metadata.remove("namespace");
        }
        metadata.put("uid", UUID.randomUUID().toString());
        metadata.put("creationTimestamp", Json.time(Instant.now()));
        metadata.remove(List.of("managedFields", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"));
        if (type.hasStatus()) {
            object.remove("status");
        }
        if (type.custom() || GENERATED.contains(type.qualifiedName())) {
            metadata.put("generation", 1);
        } else {
            metadata.remove("generation");
        }
        complete(type, object, faults);
        refuse(type, name, faults);
        return object;
    }

    /**
     * The object to store for a change.
     *
     * @param subresource empty, or {@code status}
     * @param sent what the client wants, complete
     */
    static ObjectNode forUpdate(ResourceType type, String subresource, ObjectNode old, ObjectNode sent) {
        ObjectNode object = sent.deepCopy();
        checkKind(type, object);
        String name = Json.text(old, "metadata.name");
        ObjectNode metadata = Json.child(object, "metadata");
        ObjectNode before = Json.metadata(old);
        if (!metadata.path("name").asText(name).equals(name)) {
            throw ApiException.badRequest("the name of the object (%s) does not match the name on the URL (%s)"
                    .formatted(metadata.path("name").asText(), name));
        }
        String version = metadata.path("resourceVersion").asText("");
        List<Cause> faults = new ArrayList<>();
        if (version.isEmpty()) {
            if (type.custom()) {
                faults.add(Cause.invalid("metadata.resourceVersion", "0: must be specified for an update"));
                refuse(type, name, faults);
            }
        } else if (!version.equals(before.path("resourceVersion").asText())) {
            throw ApiException.modified(type, name);
        }
        String uid = metadata.path("uid").asText("");
        if (!uid.isEmpty() && !uid.equals(before.path("uid").asText())) {
            throw ApiException.conflict(
                    type,
                    name,
                    "Precondition failed: UID in precondition: %s, UID in object meta: %s"
                            .formatted(uid, before.path("uid").asText()));
        }
        if (subresource.equals("status")) {
            JsonNode status = object.path("status");
            object = old.deepCopy();
            if (status.isMissingNode()) {
                object.remove("status");
            } else {
                object.set("status", status);
            }
        } else {
            for (String key : List.of(
                    "name",
                    "namespace",
                    "uid",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "generation",
                    "generateName",
                    "resourceVersion")) {
                Json.copy(key, before, metadata);
            }
            metadata.remove("managedFields");
            dropEmpty(metadata, "finalizers", "ownerReferences", "annotations", "labels");
            if (type.hasStatus()) {
                Json.copy("status", old, object);
            }
            refuseNewFinalizers(before, metadata, faults);
        }
        complete(type, object, faults);
        if (subresource.isEmpty() && faults.isEmpty()) {
            faults.addAll(Immutability.faults(type, old, object));
        }
        refuse(type, name, faults);
        if (subresource.isEmpty()
                && before.has("generation")
                && !desired(type, old).equals(desired(type, object))) {
            metadata.put("generation", before.get("generation").asLong() + 1);
        }
        return object;
    }

    private static void complete(ResourceType type, ObjectNode object, List<Cause> faults) {
        if (type.custom()) {
            Schemas.fillDefaults(object, type.schema());
            Schemas.validate(object, type.schema(), "", faults);
        } else {
            faults.addAll(Immutability.missing(type, object));
            if (faults.isEmpty()) {
                BuiltinDefaults.fill(type, object);
            }
        }
    }

    /** What a generation counts: all but metadata and status. */
    private static ObjectNode desired(ResourceType type, ObjectNode object) {
        ObjectNode copy = Json.object();
        object.properties().forEach(e -> copy.set(e.getKey(), e.getValue()));
        copy.remove("metadata");
        if (type.hasStatus()) {
            copy.remove("status");
        }
        return copy;
    }

    private static void refuseNewFinalizers(JsonNode before, JsonNode now, List<Cause> faults) {
        if (!before.hasNonNull("deletionTimestamp")) {
            return;
        }
        Set<String> added = new HashSet<>(Json.strings(now.path("finalizers")));
        Json.strings(before.path("finalizers")).forEach(added::remove);
        if (!added.isEmpty()) {
            faults.add(Cause.forbidden(
                    "metadata.finalizers",
                    "no new finalizers can be added if the object is being deleted, found new finalizers " + added));
        }
    }

    private static void dropEmpty(ObjectNode metadata, String... keys) {
        for (String key : keys) {
            if (metadata.has(key) && metadata.get(key).isEmpty()) {
                metadata.remove(key);
            }
        }
    }

    private static void checkKind(ResourceType type, ObjectNode object) {
        String kind = object.path("kind").asText(type.kind());
        String apiVersion = object.path("apiVersion").asText(type.apiVersion());
        if (!kind.equals(type.kind()) || !apiVersion.equals(type.apiVersion())) {
            throw ApiException.badRequest("%s %s in the body does not match %s %s of the request"
                    .formatted(apiVersion, kind, type.apiVersion(), type.kind()));
        }
        object.put("kind", kind).put("apiVersion", apiVersion);
    }

    private static void refuse(ResourceType type, String name, List<Cause> faults) {
        if (!faults.isEmpty()) {
            throw ApiException.invalid(type, name, faults);
        }
    }

    private static String suffix() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            text.append(SUFFIX.charAt(ThreadLocalRandom.current().nextInt(SUFFIX.length())));
        }
        return text.toString();
    }
}

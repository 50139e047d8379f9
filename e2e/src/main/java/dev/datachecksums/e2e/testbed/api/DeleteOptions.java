package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How an object is to be deleted.
 *
 * @param graceSeconds null for the object's own
 * @param uid null for any
 * @param resourceVersion null for any
 */
public record DeleteOptions(
        @Nullable Long graceSeconds,
        @Nullable String uid,
        @Nullable String resourceVersion,
        Propagation propagation,
        boolean dryRun) {

    /** What becomes of the objects that this one owns. */
    public enum Propagation {
        BACKGROUND,
        FOREGROUND,
        ORPHAN
    }

    public static DeleteOptions background() {
        return new DeleteOptions(null, null, null, Propagation.BACKGROUND, false);
    }

    /** The end of a graceful deletion: what the kubelet sends once the processes are gone. */
    public static DeleteOptions finished(String uid) {
        return new DeleteOptions(0L, uid, null, Propagation.BACKGROUND, false);
    }

    static DeleteOptions of(JsonNode body, Map<String, String> query) {
        String grace = query.getOrDefault("gracePeriodSeconds", text(body.path("gracePeriodSeconds")));
        String policy = query.getOrDefault("propagationPolicy", text(body.path("propagationPolicy")));
        if (body.path("orphanDependents").asBoolean() && policy.isEmpty()) {
            policy = "Orphan";
        }
        String uid = text(Json.at(body, "preconditions.uid"));
        String version = text(Json.at(body, "preconditions.resourceVersion"));
        boolean dryRun = query.containsKey("dryRun") || !body.path("dryRun").isEmpty();
        return new DeleteOptions(
                grace.isEmpty() ? null : Long.valueOf(grace),
                uid.isEmpty() ? null : uid,
                version.isEmpty() ? null : version,
                switch (policy) {
                    case "Foreground" -> Propagation.FOREGROUND;
                    case "Orphan" -> Propagation.ORPHAN;
                    default -> Propagation.BACKGROUND;
                },
                dryRun);
    }

    OptionalLong grace() {
        return graceSeconds == null ? OptionalLong.empty() : OptionalLong.of(graceSeconds);
    }

    private static String text(JsonNode node) {
        return node.isNull() ? "" : node.asText("");
    }
}

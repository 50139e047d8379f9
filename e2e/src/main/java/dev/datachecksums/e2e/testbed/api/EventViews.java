package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Events are stored once, as core/v1, and served as events.k8s.io/v1, too, where some of their fields have other names. */
final class EventViews {
    static final String GROUP = "events.k8s.io";

    /** Names in core/v1 and in events.k8s.io/v1. */
    private static final List<List<String>> RENAMED = List.of(
            List.of("involvedObject", "regarding"),
            List.of("message", "note"),
            List.of("reportingComponent", "reportingController"),
            List.of("source", "deprecatedSource"),
            List.of("firstTimestamp", "deprecatedFirstTimestamp"),
            List.of("lastTimestamp", "deprecatedLastTimestamp"),
            List.of("count", "deprecatedCount"));

    private EventViews() {}

    static ObjectNode toCore(ObjectNode event) {
        return convert(event, "v1", 1, 0);
    }

    static ObjectNode fromCore(ObjectNode event) {
        return convert(event, GROUP + "/v1", 0, 1);
    }

    private static ObjectNode convert(ObjectNode event, String apiVersion, int from, int to) {
        ObjectNode result = event.deepCopy().put("apiVersion", apiVersion);
        for (List<String> names : RENAMED) {
            JsonNode value = result.remove(names.get(from));
            if (value != null) {
                result.set(names.get(to), value);
            }
        }
        return result;
    }
}

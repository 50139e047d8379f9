package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The JSON paths of printer columns: {@code .a.b}, {@code ['c']}, {@code [0]}, {@code [*]} and {@code [?(@.type=="Ready")]}. */
final class JsonPaths {
    private static final Pattern STEP = Pattern.compile("\\.([A-Za-z0-9_-]+)"
            + "|\\['([^']+)'\\]"
            + "|\\[(\\d+|\\*)\\]"
            + "|\\[\\?\\(@\\.([A-Za-z0-9_.-]+)\\s*==\\s*[\"']([^\"']*)[\"']\\)\\]");

    private JsonPaths() {}

    /** The first value at the path; a missing node if there is none or the path is of another form. */
    static JsonNode first(JsonNode object, String path) {
        List<JsonNode> here = List.of(object);
        Matcher step = STEP.matcher(path);
        int read = 0;
        while (step.find() && step.start() == read) {
            read = step.end();
            List<JsonNode> next = new ArrayList<>();
            for (JsonNode node : here) {
                follow(node, step, next);
            }
            here = next;
        }
        return read < path.length() || here.isEmpty() ? MissingNode.getInstance() : here.get(0);
    }

    private static void follow(JsonNode node, Matcher step, List<JsonNode> next) {
        String key = step.group(1) != null ? step.group(1) : step.group(2);
        if (key != null) {
            addPresent(node.path(key), next);
        } else if (step.group(3) != null) {
            if (step.group(3).equals("*")) {
                node.forEach(next::add);
            } else {
                addPresent(node.path(Integer.parseInt(step.group(3))), next);
            }
        } else {
            for (JsonNode item : node) {
                if (Json.text(item, step.group(4)).equals(step.group(5))) {
                    next.add(item);
                }
            }
        }
    }

    private static void addPresent(JsonNode node, List<JsonNode> to) {
        if (!node.isMissingNode() && !node.isNull()) {
            to.add(node);
        }
    }
}

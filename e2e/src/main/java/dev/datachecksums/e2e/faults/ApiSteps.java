package dev.datachecksums.e2e.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Names a request by what it does, so that the same step of another run has the same name. */
final class ApiSteps {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> KINDS_OF_PATH = List.of("namespaces");

    private ApiSteps() {}

    /** Everything but a read; a review asks who may do what, and changes nothing. */
    static boolean changes(String method, String path) {
        return !method.equals("GET") && !method.equals("HEAD") && !path.contains("/authorization.k8s.io/");
    }

    static String name(String method, String path, byte[] body) {
        return (method + " " + resource(path) + " " + detail(body)).strip();
    }

    /** Without group, version, namespace and name: {@code pods}, {@code datachecksums/status}. */
    static String resource(String path) {
        List<String> words = words(path);
        return words.isEmpty() ? "" : words.get(0) + (words.size() > 2 ? "/" + words.get(2) : "");
    }

    /** The object's name; empty in a creation. */
    static String object(String path) {
        List<String> words = words(path);
        return words.size() > 1 ? words.get(1) : "";
    }

    /** The namespace; empty if there is none. */
    static String namespace(String path) {
        List<String> all = List.of(path.split("/", -1));
        int at = all.indexOf(KINDS_OF_PATH.get(0));
        return at > 0 && at + 1 < all.size() ? all.get(at + 1) : "";
    }

    private static List<String> words(String path) {
        List<String> all = new ArrayList<>(
                Stream.of(path.split("/", -1)).filter(w -> !w.isEmpty()).toList());
        int group = all.isEmpty() ? 0 : all.get(0).equals("api") ? 2 : 3;
        List<String> rest = all.subList(Math.min(group, all.size()), all.size());
        return rest.size() > 2 && rest.get(0).equals(KINDS_OF_PATH.get(0)) ? rest.subList(2, rest.size()) : rest;
    }

    private static String detail(byte[] body) {
        JsonNode tree;
        try {
            tree = JSON.readTree(body);
        } catch (IOException e) {
            return "";
        }
        if (tree.isArray()) {
            StringBuilder operations = new StringBuilder();
            tree.forEach(o -> {
                if (!o.path("op").asText().equals("test")) {
                    operations
                            .append(o.path("op").asText())
                            .append(' ')
                            .append(o.path("path").asText().replaceAll("\\d+", "N"));
                }
            });
            return operations.toString();
        }
        return switch (tree.path("kind").asText()) {
            case "Event" -> tree.path("reason").asText();
            case "Job" ->
                tree.path("metadata").path("labels").properties().stream()
                        .filter(e -> e.getKey().endsWith("/role"))
                        .map(e -> e.getValue().asText())
                        .findFirst()
                        .orElse("");
            case "DataChecksums" -> status(tree.path("status"));
            case "DeleteOptions" -> tree.has("gracePeriodSeconds") ? "with grace" : "";
            default ->
                tree.path("metadata").has("finalizers")
                        ? tree.path("metadata").path("finalizers").isEmpty() ? "finalizer off" : "finalizer on"
                        : "";
        };
    }

    private static String status(JsonNode status) {
        JsonNode conversion = status.path("conversion");
        String reason = "";
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                reason = condition.path("reason").asText();
            }
        }
        return status.path("phase").asText() + "/" + reason
                + (conversion.isObject() ? " under way" : "")
                + (conversion.hasNonNull("stopped") ? ", stopped" : "")
                + (conversion.hasNonNull("restored") ? ", restored" : "")
                + (conversion.hasNonNull("givingUp") ? ", giving up" : "");
    }
}

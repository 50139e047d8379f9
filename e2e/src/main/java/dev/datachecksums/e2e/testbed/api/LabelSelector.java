package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A label selector: the textual form of a query and the structured form of a spec. */
final class LabelSelector {
    private static final Pattern SET = Pattern.compile("([^\\s!=,()]+)\\s+(in|notin)\\s*\\(([^)]*)\\)");
    private static final Pattern EQUALITY = Pattern.compile("([^\\s!=,()]+)\\s*(!=|==|=)\\s*([^\\s!=,()]*)");
    private static final Pattern EXISTENCE = Pattern.compile("(!?)\\s*([^\\s!=,()]+)");
    /** A comma outside parentheses. */
    private static final Pattern BETWEEN = Pattern.compile(",(?![^(]*\\))");

    private LabelSelector() {}

    /**
     * Reads {@code a=b,c!=d,e in (f,g),h notin (i),j,!k}. An empty text selects everything.
     *
     * @throws ApiException 400 if it is none
     */
    static Predicate<JsonNode> parse(String text) {
        List<Predicate<JsonNode>> all = new ArrayList<>();
        if (!text.isBlank()) {
            BETWEEN.splitAsStream(text).map(String::trim).forEach(term -> all.add(term(term)));
        }
        return object -> all.stream().allMatch(p -> p.test(Json.at(object, "metadata.labels")));
    }

    /** Reads {@code {matchLabels, matchExpressions}}. */
    static Predicate<JsonNode> of(JsonNode selector) {
        List<Predicate<JsonNode>> all = new ArrayList<>();
        selector.path("matchLabels")
                .properties()
                .forEach(e -> all.add(labels ->
                        labels.path(e.getKey()).asText("\0").equals(e.getValue().asText())));
        for (JsonNode expression : selector.path("matchExpressions")) {
            String key = expression.path("key").asText();
            Set<String> values = Set.copyOf(Json.strings(expression.path("values")));
            all.add(
                    switch (expression.path("operator").asText()) {
                        case "In" -> labels -> in(labels, key, values);
                        case "NotIn" -> labels -> !in(labels, key, values);
                        case "Exists" -> labels -> labels.has(key);
                        default -> labels -> !labels.has(key);
                    });
        }
        return object -> all.stream().allMatch(p -> p.test(Json.at(object, "metadata.labels")));
    }

    private static Predicate<JsonNode> term(String term) {
        Matcher set = SET.matcher(term);
        if (set.matches()) {
            String key = set.group(1);
            Set<String> values =
                    Arrays.stream(set.group(3).split(",", -1)).map(String::trim).collect(Collectors.toSet());
            boolean wanted = set.group(2).equals("in");
            return labels -> in(labels, key, values) == wanted;
        }
        Matcher equality = EQUALITY.matcher(term);
        if (equality.matches()) {
            String key = equality.group(1);
            Set<String> value = Set.of(equality.group(3));
            boolean wanted = !equality.group(2).equals("!=");
            return labels -> in(labels, key, value) == wanted;
        }
        Matcher existence = EXISTENCE.matcher(term);
        if (existence.matches()) {
            String key = existence.group(2);
            boolean wanted = existence.group(1).isEmpty();
            return labels -> labels.has(key) == wanted;
        }
        throw ApiException.badRequest("unable to parse requirement: " + term);
    }

    private static boolean in(JsonNode labels, String key, Set<String> values) {
        return labels.has(key) && values.contains(labels.get(key).asText());
    }
}

package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A field selector. Like the real server it refuses fields that the resource does not offer. */
final class FieldSelector {
    private static final Pattern TERM = Pattern.compile("([^!=]+?)(!=|==|=)(.*)");
    private static final Set<String> ALWAYS = Set.of("metadata.name", "metadata.namespace");

    private FieldSelector() {}

    /** @throws ApiException 400 for another syntax or field */
    static Predicate<JsonNode> parse(ResourceType type, String text) {
        List<Predicate<JsonNode>> all = new ArrayList<>();
        if (!text.isBlank()) {
            for (String term : text.split(",", -1)) {
                all.add(term(type, term));
            }
        }
        return object -> all.stream().allMatch(p -> p.test(object));
    }

    private static Predicate<JsonNode> term(ResourceType type, String term) {
        Matcher m = TERM.matcher(term);
        if (!m.matches()) {
            throw ApiException.badRequest("invalid field selector: " + term);
        }
        String field = m.group(1);
        if (!ALWAYS.contains(field) && !type.selectableFields().contains(field)) {
            throw ApiException.badRequest("field label not supported: " + field);
        }
        boolean wanted = !m.group(2).equals("!=");
        String value = m.group(3);
        return object -> Json.text(object, field).equals(value) == wanted;
    }
}

package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** What is served: the built-in resources and those of the CustomResourceDefinitions that are stored now. */
final class TypeRegistry {
    private final List<ResourceType> builtin = BuiltinTypes.all();
    private final Map<String, List<ResourceType>> custom = new ConcurrentHashMap<>();

    Stream<ResourceType> all() {
        return Stream.concat(builtin.stream(), custom.values().stream().flatMap(List::stream));
    }

    /** @throws ApiException 404 if nothing is served there */
    ResourceType find(String group, String version, String plural) {
        return all().filter(t -> t.group().equals(group)
                        && t.version().equals(version)
                        && t.plural().equals(plural))
                .findFirst()
                .orElseThrow(ApiException::noSuchPath);
    }

    Optional<ResourceType> byQualifiedName(String qualified) {
        return all().filter(t -> t.is(qualified)).findFirst();
    }

    /** The group names besides the core one, each with its versions. */
    Set<String> groups() {
        Set<String> names = new TreeSet<>();
        all().map(ResourceType::group).filter(g -> !g.isEmpty()).forEach(names::add);
        return names;
    }

    void define(ObjectNode definition) {
        JsonNode spec = definition.path("spec");
        JsonNode names = spec.path("names");
        List<ResourceType> versions = new ArrayList<>();
        for (JsonNode version : spec.path("versions")) {
            if (!version.path("served").asBoolean()) {
                continue;
            }
            Set<String> subresources = new TreeSet<>();
            version.path("subresources").fieldNames().forEachRemaining(subresources::add);
            Set<String> selectable = new TreeSet<>();
            version.path("selectableFields")
                    .forEach(f -> selectable.add(f.path("jsonPath").asText().substring(1)));
            versions.add(new ResourceType(
                    spec.path("group").asText(),
                    version.path("name").asText(),
                    names.path("kind").asText(),
                    names.path("plural").asText(),
                    names.path("singular").asText(),
                    Json.strings(names.path("shortNames")),
                    Json.strings(names.path("categories")),
                    spec.path("scope").asText().equals("Namespaced"),
                    subresources,
                    selectable,
                    version.path("schema").path("openAPIV3Schema"),
                    columns(version)));
        }
        custom.put(Json.text(definition, "metadata.name"), versions);
    }

    void undefine(String definitionName) {
        custom.remove(definitionName);
    }

    /** What the real server fills in and reports of a definition that it accepted. */
    static void accept(ObjectNode definition) {
        ObjectNode spec = Json.child(definition, "spec");
        ObjectNode names = Json.child(spec, "names");
        String kind = names.path("kind").asText();
        Json.defaultTo(names, "singular", kind.toLowerCase(Locale.ROOT));
        Json.defaultTo(names, "listKind", kind + "List");
        Json.defaultTo(Json.child(spec, "conversion"), "strategy", "None");
        if (definition.path("status").path("conditions").isEmpty()) {
            ObjectNode status = definition.putObject("status");
            var conditions = status.putArray("conditions");
            for (String type : List.of("NamesAccepted", "Established")) {
                conditions
                        .addObject()
                        .put("type", type)
                        .put("status", "True")
                        .put("reason", type.equals("Established") ? "InitialNamesAccepted" : "NoConflicts")
                        .put("message", "the testbed accepts it")
                        .put("lastTransitionTime", Json.time(Instant.now()));
            }
        }
        ObjectNode status = Json.child(definition, "status");
        status.set("acceptedNames", names.deepCopy());
        var stored = status.putArray("storedVersions");
        for (JsonNode version : spec.path("versions")) {
            if (version.path("storage").asBoolean()) {
                stored.add(version.path("name").asText());
            }
        }
    }

    private static List<ResourceType.Column> columns(JsonNode version) {
        List<ResourceType.Column> columns = new ArrayList<>();
        for (JsonNode column : version.path("additionalPrinterColumns")) {
            columns.add(new ResourceType.Column(
                    column.path("name").asText(),
                    column.path("type").asText(),
                    column.path("priority").asInt(0),
                    column.path("jsonPath").asText()));
        }
        return columns;
    }
}

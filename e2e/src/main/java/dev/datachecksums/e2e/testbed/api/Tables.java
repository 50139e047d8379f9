package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;

/** The {@code Table} that kubectl asks for. */
final class Tables {
    private Tables() {}

    /**
     * A table of objects.
     *
     * @param include what each row carries of its object: Object, Metadata or None
     */
    static ObjectNode of(ResourceType type, List<ObjectNode> objects, String version, String include) {
        ObjectNode table = Json.object().put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
        table.putObject("metadata").put("resourceVersion", version);
        ArrayNode definitions = table.putArray("columnDefinitions");
        boolean named = !type.is("events");
        if (named) {
            definitions
                    .addObject()
                    .put("name", "Name")
                    .put("type", "string")
                    .put("format", "name")
                    .put("description", "Name")
                    .put("priority", 0);
        }
        List<ResourceType.Column> columns = columns(type);
        for (ResourceType.Column column : columns) {
            definitions
                    .addObject()
                    .put("name", column.name())
                    .put("type", column.type().equals("date") ? "string" : column.type())
                    .put("format", "")
                    .put("description", column.name())
                    .put("priority", column.priority());
        }
        ArrayNode rows = table.putArray("rows");
        for (ObjectNode object : objects) {
            ObjectNode row = rows.addObject();
            ArrayNode cells = row.putArray("cells");
            if (named) {
                cells.add(Json.text(object, "metadata.name"));
            }
            for (ResourceType.Column column : columns) {
                cell(type, object, column, cells);
            }
            switch (include) {
                case "Object" -> row.set("object", object);
                case "None" -> row.putNull("object");
                default -> row.set("object", partial(object));
            }
        }
        return table;
    }

    static ObjectNode partial(ObjectNode object) {
        ObjectNode partial = Json.object().put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", object.get("metadata"));
        return partial;
    }

    private static List<ResourceType.Column> columns(ResourceType type) {
        if (!type.columns().isEmpty()) {
            return type.columns();
        }
        List<ResourceType.Column> known = BuiltinColumns.of(type);
        return known.isEmpty()
                ? List.of(new ResourceType.Column("Age", "date", 0, ".metadata.creationTimestamp"))
                : known;
    }

    private static void cell(ResourceType type, ObjectNode object, ResourceType.Column column, ArrayNode cells) {
        if (column.jsonPath().startsWith("=")) {
            cells.add(BuiltinColumns.computed(type, column.jsonPath().substring(1), object));
            return;
        }
        JsonNode value = JsonPaths.first(object, column.jsonPath());
        if (value.isMissingNode()) {
            if (column.type().equals("date")) {
                cells.add("<unknown>");
            } else if (type.custom()) {
                cells.addNull();
            } else {
                cells.add("<none>");
            }
        } else if (column.type().equals("date")) {
            cells.add(age(value.asText()));
        } else if (column.type().equals("string") && value.isValueNode()) {
            cells.add(value.asText());
        } else {
            cells.add(value);
        }
    }

    /** The time since, in kubectl's words. */
    static String age(String since) {
        try {
            return duration(Duration.between(OffsetDateTime.parse(since).toInstant(), Instant.now()));
        } catch (DateTimeParseException e) {
            return "<unknown>";
        }
    }

    static String duration(Duration d) {
        long seconds = d.toSeconds();
        if (seconds < 0) {
            return "0s";
        }
        if (seconds < 120) {
            return seconds + "s";
        }
        long minutes = d.toMinutes();
        if (minutes < 10) {
            return minutes + "m" + (d.toSecondsPart() == 0 ? "" : d.toSecondsPart() + "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        long hours = d.toHours();
        if (hours < 8) {
            return hours + "h" + (d.toMinutesPart() == 0 ? "" : d.toMinutesPart() + "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        long days = d.toDays();
        return days + "d" + (days < 8 && hours % 24 != 0 ? hours % 24 + "h" : "");
    }
}

package dev.datachecksums.e2e.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The manifests and values under {@code fixtures}. */
final class Fixtures {
    private static final Path FOLDER = Path.of("src/test/resources/fixtures");
    private static final String EXPECT = "# expect: ";

    private Fixtures() {}

    /**
     * A manifest that a CEL rule takes or refuses.
     *
     * @param message the rule's message, for one that is refused
     * @param before what stands on the server already, for a rule on a transition
     */
    record Cel(String name, JsonNode resource, Optional<String> message, Optional<JsonNode> before) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Values that one field takes and refuses. */
    record Field(String path, List<JsonNode> accept, List<JsonNode> reject) {}

    static List<Cel> cel() {
        List<Cel> found = new ArrayList<>();
        for (Path rule : children(FOLDER.resolve("cel"))) {
            Path before = rule.resolve("before.yaml");
            Optional<JsonNode> standing = Files.exists(before) ? Optional.of(yaml(before)) : Optional.empty();
            for (Path file : children(rule)) {
                if (!file.equals(before)) {
                    found.add(new Cel(
                            rule.getFileName() + "/" + file.getFileName(), yaml(file), message(file), standing));
                }
            }
        }
        return found;
    }

    static List<Field> fields() {
        return StreamSupport.stream(yaml(FOLDER.resolve("schema.yaml")).spliterator(), false)
                .map(entry ->
                        new Field(entry.path("field").asText(), list(entry.path("accept")), list(entry.path("reject"))))
                .toList();
    }

    /** A resource that has every field and that the API server takes. */
    static ObjectNode complete() {
        return (ObjectNode) yaml(CrdSchema.ROOT.resolve("manifests/samples/datachecksums-every-field.yaml"));
    }

    /** The resource with one field set; its parents are there already. */
    static ObjectNode with(ObjectNode resource, String path, JsonNode value) {
        ObjectNode changed = resource.deepCopy();
        parent(changed, path).set(path.substring(path.lastIndexOf('.') + 1), value);
        return changed;
    }

    /** The resource without one field. */
    static ObjectNode without(ObjectNode resource, String path) {
        ObjectNode changed = resource.deepCopy();
        parent(changed, path).remove(path.substring(path.lastIndexOf('.') + 1));
        return changed;
    }

    private static ObjectNode parent(ObjectNode resource, String path) {
        JsonNode at = resource;
        String[] names = path.split("\\.", -1);
        for (int i = 0; i < names.length - 1; i++) {
            at = at.path(names[i]);
        }
        if (at instanceof ObjectNode object) {
            return object;
        }
        throw new IllegalArgumentException("the sample with every field lacks the parent of " + path);
    }

    private static List<Path> children(Path folder) {
        try (Stream<Path> children = Files.list(folder)) {
            return children.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode yaml(Path file) {
        return Serialization.unmarshal(read(file), JsonNode.class);
    }

    private static Optional<String> message(Path file) {
        return read(file)
                .lines()
                .findFirst()
                .filter(line -> line.startsWith(EXPECT))
                .map(line -> line.substring(EXPECT.length()));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<JsonNode> list(JsonNode node) {
        List<JsonNode> values = new ArrayList<>();
        ((ArrayNode) node).forEach(values::add);
        return values;
    }
}

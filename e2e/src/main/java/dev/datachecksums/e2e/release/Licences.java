package dev.datachecksums.e2e.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Writes the list of what is in the image, with licences, from the SBOM. */
public final class Licences {

    private Licences() {}

    /** Two arguments: the SBOM (CycloneDX, JSON), and the page to write. */
    public static void main(String[] arguments) throws IOException {
        JsonNode bom = new ObjectMapper().readTree(Path.of(arguments[0]).toFile());
        SortedSet<String> rows = new TreeSet<>();
        for (JsonNode component : bom.path("components")) {
            String group = component.path("group").asText();
            if (group.equals("dev.datachecksums")) {
                continue;
            }
            List<String> licences = licences(component);
            if (licences.isEmpty()) {
                throw new IllegalStateException("no licence is known of " + group + ":" + component.path("name"));
            }
            rows.add("| " + group + ":" + component.path("name").asText() + " | "
                    + component.path("version").asText() + " | " + String.join(" or ", licences) + " |");
        }
        Files.writeString(Path.of(arguments[1]), """
            # What is in the operator's image besides the operator

            Written by `make sbom`, from `operator/target/bom.json`, the image's software bill of materials (CycloneDX).

            | library | version | licence |
            |---|---|---|
            """ + String.join("\n", rows) + "\n");
    }

    private static List<String> licences(JsonNode component) {
        List<String> names = new ArrayList<>();
        for (JsonNode l : component.path("licenses")) {
            JsonNode licence = l.path("license");
            String name = licence.hasNonNull("id")
                    ? licence.path("id").asText()
                    : licence.hasNonNull("name")
                            ? licence.path("name").asText()
                            : l.path("expression").asText();
            names.add(name.equals("Apache 2 License") ? "Apache-2.0" : name);
        }
        return names;
    }
}

package dev.datachecksums.api.crd;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The CustomResourceDefinition of the API types. The generator sorts columns by name and knows neither list-map keys nor
 * integer formats, so its result is completed here.
 */
final class CrdDocument {
    /** In the order in which kubectl shows them. */
    private static final List<String> COLUMNS =
            List.of("Desired", "State", "Phase", "Method", "Progress", "ETA", "Ready", "Age", "Server", "Reason");

    private final CustomResourceDefinition definition;

    private CrdDocument(CustomResourceDefinition definition) {
        this.definition = definition;
    }

    /** Generates it from the classes. */
    static CrdDocument generate() {
        Output output = new Output();
        new CRDGenerator()
                .customResourceClasses(DataChecksums.class)
                .forCRDVersions("v1")
                .withOutput(output)
                .generate();
        return new CrdDocument(complete(Serialization.unmarshal(output.only(), CustomResourceDefinition.class)));
    }

    CustomResourceDefinition definition() {
        return definition;
    }

    /** What a resource may have in one of its parts: spec or status. */
    JSONSchemaProps schema(String part) {
        return property(definition.getSpec().getVersions().get(0).getSchema().getOpenAPIV3Schema(), part);
    }

    /** The file that is committed. */
    String yaml() {
        return "# Made from the Java types by \"make crds\". Do not edit.\n"
                + Serialization.asYaml(definition).replaceFirst("^---\n", "");
    }

    private static CustomResourceDefinition complete(CustomResourceDefinition crd) {
        for (CustomResourceDefinitionVersion version : crd.getSpec().getVersions()) {
            List<CustomResourceColumnDefinition> columns = new ArrayList<>(version.getAdditionalPrinterColumns());
            columns.sort(Comparator.comparingInt(column -> position(column.getName())));
            version.setAdditionalPrinterColumns(columns);
            JSONSchemaProps schema = version.getSchema().getOpenAPIV3Schema();
            schema.setDescription("Declares whether the data pages of one PostgreSQL instance carry checksums,"
                    + " and reports how far the operator has carried that out.");
            property(schema, "spec").setDescription("What is declared.");
            JSONSchemaProps status = property(schema, "status");
            status.setDescription("What the operator reports. It is a report only: nothing is decided by editing it.");
            JSONSchemaProps conditions = property(status, "conditions");
            conditions.setXKubernetesListType("map");
            conditions.setXKubernetesListMapKeys(List.of("type"));
            integerFormats(schema);
        }
        return crd;
    }

    /** A property that must be there. */
    static JSONSchemaProps property(JSONSchemaProps schema, String name) {
        return Objects.requireNonNull(schema.getProperties().get(name), () -> "the schema has no property " + name);
    }

    private static int position(String column) {
        int at = COLUMNS.indexOf(column);
        if (at < 0) {
            throw new IllegalStateException("the order of printer columns does not name " + column);
        }
        return at;
    }

    private static void integerFormats(JSONSchemaProps schema) {
        if ("integer".equals(schema.getType())) {
            boolean small = schema.getMaximum() != null && schema.getMaximum() <= Integer.MAX_VALUE;
            schema.setFormat(small ? "int32" : "int64");
        }
        if (schema.getProperties() != null) {
            schema.getProperties().values().forEach(CrdDocument::integerFormats);
        }
        if (schema.getItems() != null && schema.getItems().getSchema() != null) {
            integerFormats(schema.getItems().getSchema());
        }
    }

    /** Keeps in memory what the generator writes. */
    private static final class Output implements CRDGenerator.CRDOutput<OutputStream> {
        private final Map<String, ByteArrayOutputStream> documents = new HashMap<>();

        @Override
        public OutputStream outputFor(String crdName) {
            return documents.computeIfAbsent(crdName, name -> new ByteArrayOutputStream());
        }

        @Override
        public URI crdURI(String crdName) {
            return URI.create("file:///" + crdName);
        }

        @Override
        public void close() throws IOException {
            for (ByteArrayOutputStream document : documents.values()) {
                document.close();
            }
        }

        String only() {
            if (documents.size() != 1) {
                throw new IllegalStateException("one definition expected, not " + documents.keySet());
            }
            return documents.values().iterator().next().toString(StandardCharsets.UTF_8);
        }
    }
}

package dev.datachecksums.api.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.api.v1alpha1.DataChecksums;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

/** A report survives the way to the API server and back, whatever fields it has. */
class StatusTest {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final JSONSchemaProps schema = CrdDocument.generate().schema("status");

    @Test
    void everyFieldOfTheSchemaIsReadAndWritten() {
        ObjectNode resource = JSON.objectNode();
        resource.put("apiVersion", "datachecksums.dev/v1alpha1").put("kind", "DataChecksums");
        resource.set("status", example(schema));

        DataChecksums read = Serialization.unmarshal(Serialization.asJson(resource), DataChecksums.class);

        JsonNode written = Serialization.unmarshal(Serialization.asJson(read.getStatus()), JsonNode.class);
        assertThat(written).isEqualTo(resource.path("status"));
        DataChecksums again = Serialization.unmarshal(Serialization.asJson(read), DataChecksums.class);
        assertThat(again.getStatus()).isEqualTo(read.getStatus());
    }

    private static JsonNode example(JSONSchemaProps schema) {
        return switch (schema.getType()) {
            case "object" -> {
                ObjectNode object = JSON.objectNode();
                schema.getProperties().forEach((name, field) -> object.set(name, example(field)));
                yield object;
            }
            case "array" -> JSON.arrayNode().add(example(schema.getItems().getSchema()));
            case "integer" -> JSON.numberNode(1);
            case "boolean" -> JSON.booleanNode(true);
            default ->
                schema.getEnum() == null || schema.getEnum().isEmpty()
                        ? JSON.textNode("text")
                        : schema.getEnum().get(0);
        };
    }
}

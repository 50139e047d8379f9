package dev.datachecksums.api.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.api.v1alpha1.DataChecksums;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The records fill in what the API server fills in: the operator decides the same with and without one. */
class DefaultsTest {
    @Test
    void recordsAndSchemaHaveTheSameDefaults() {
        JSONSchemaProps spec = CrdDocument.generate().schema("spec");
        ObjectNode least = Serialization.unmarshal("""
                instanceRef: {name: orders-db}
                connection: {credentials: {secretName: orders-superuser}}
                policy: {window: {schedule: "0 2 * * 6", duration: 3h}}
                """, ObjectNode.class);
        ObjectNode resource = JsonNodeFactory.instance.objectNode();
        resource.put("apiVersion", "datachecksums.dev/v1alpha1").put("kind", "DataChecksums");
        resource.set("spec", least.deepCopy());
        DataChecksums read = Serialization.unmarshal(Serialization.asJson(resource), DataChecksums.class);
        JsonNode byTheRecords = Serialization.unmarshal(Serialization.asJson(read.getSpec()), JsonNode.class);

        assertThat(byTheRecords).isEqualTo(filled(spec, least));
    }

    /** As an API server does: absent fields get their default, and so on inside what is there then. */
    private static JsonNode filled(JSONSchemaProps schema, JsonNode value) {
        if (schema.getProperties() == null || !(value instanceof ObjectNode object)) {
            return value;
        }
        ObjectNode result = object.deepCopy();
        for (Map.Entry<String, JSONSchemaProps> field : schema.getProperties().entrySet()) {
            if (!result.has(field.getKey()) && field.getValue().getDefault() != null) {
                result.set(field.getKey(), field.getValue().getDefault());
            }
            if (result.has(field.getKey())) {
                result.set(field.getKey(), filled(field.getValue(), result.get(field.getKey())));
            }
        }
        return result;
    }
}

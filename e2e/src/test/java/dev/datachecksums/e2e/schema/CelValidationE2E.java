package dev.datachecksums.e2e.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule, pattern, enum, bound and required field, on a real API server: what it takes, and what it says. */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CelValidationE2E {
    private final RealApi api = new RealApi("dck-cel");

    @BeforeAll
    void install() {
        api.prepare();
    }

    @AfterAll
    void tidy() {
        api.close();
    }

    static List<Fixtures.Cel> cel() {
        return Fixtures.cel();
    }

    @ParameterizedTest
    @MethodSource("cel")
    void ruleTakesOrRefuses(Fixtures.Cel fixture) {
        Runnable apply = fixture.before().isPresent()
                ? () -> afterwards(fixture.before().get(), fixture.resource())
                : () -> dryRun(fixture.resource());
        if (fixture.message().isPresent()) {
            assertThatThrownBy(apply::run)
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            refusal -> assertThat(refusal.getCode()).isEqualTo(422))
                    .hasMessageContaining(fixture.message().get());
        } else {
            assertThatCode(apply::run).doesNotThrowAnyException();
        }
    }

    static List<Arguments> taken() {
        List<Arguments> values = new ArrayList<>();
        for (Fixtures.Field field : Fixtures.fields()) {
            field.accept().forEach(value -> values.add(Arguments.of(field.path(), value)));
        }
        return values;
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("taken")
    void fieldTakes(String path, JsonNode value) {
        assertThatCode(() -> dryRun(Fixtures.with(Fixtures.complete(), path, value)))
                .doesNotThrowAnyException();
    }

    /** The field, the value, and a word of the API server's that shows which constraint refused it. */
    static List<Arguments> refused() {
        List<Arguments> values = new ArrayList<>();
        CrdSchema crd = CrdSchema.committed();
        for (Fixtures.Field field : Fixtures.fields()) {
            JSONSchemaProps schema = crd.field(field.path());
            field.reject().forEach(value -> values.add(Arguments.of(field.path(), value, word(schema, value))));
        }
        crd.fields().forEach((path, schema) -> {
            if (schema.getMaxLength() != null) {
                JsonNode longer = TextNode.valueOf("1".repeat(Math.toIntExact(schema.getMaxLength()) + 1));
                values.add(Arguments.of(path, longer, "Too long: may not be more than"));
            }
            if (schema.getMinLength() != null) {
                JsonNode shorter = TextNode.valueOf("1".repeat(Math.toIntExact(schema.getMinLength()) - 1));
                values.add(Arguments.of(path, shorter, "should be at least"));
            }
        });
        return values;
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("refused")
    void fieldRefuses(String path, JsonNode value, String word) {
        assertThatThrownBy(() -> dryRun(Fixtures.with(Fixtures.complete(), path, value)))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(path)
                .hasMessageContaining(word);
    }

    static List<String> required() {
        return CrdSchema.committed().required();
    }

    @ParameterizedTest
    @MethodSource("required")
    void requiredFieldIsMissed(String path) {
        ObjectNode without = Fixtures.without(Fixtures.complete(), path);
        assertThatThrownBy(() -> dryRun(without))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(path + ": Required value");
    }

    private static String word(JSONSchemaProps schema, JsonNode value) {
        boolean ofType = switch (schema.getType()) {
            case "integer" -> value.isIntegralNumber();
            case "boolean" -> value.isBoolean();
            default -> value.isTextual();
        };
        if (!ofType) {
            return "must be of type " + schema.getType();
        }
        if (schema.getEnum() != null && !schema.getEnum().isEmpty()) {
            return "Unsupported value";
        }
        if (schema.getMinimum() != null && schema.getMaximum() != null) {
            return value.asDouble() < schema.getMinimum() ? "greater than or equal to" : "less than or equal to";
        }
        return "should match";
    }

    private void dryRun(JsonNode resource) {
        resource(resource).dryRun(true).create();
    }

    /** Rules on a transition are tried on what really stands on the server. */
    private void afterwards(JsonNode before, JsonNode after) {
        resource(before).create();
        try {
            resource(after).dryRun(true).update();
        } finally {
            resource(before).delete();
        }
    }

    private Resource<GenericKubernetesResource> resource(JsonNode json) {
        GenericKubernetesResource resource =
                Serialization.unmarshal(Serialization.asJson(json), GenericKubernetesResource.class);
        return api.dataChecksums().resource(resource);
    }
}

package dev.datachecksums.e2e.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Nothing that a user can trip over is without a fixture for {@link CelValidationE2E}. */
class FixturesTest {
    private final CrdSchema crd = CrdSchema.committed();

    @Test
    void everyRuleHasOneThatIsRefusedAndOneThatIsTaken() {
        List<Fixtures.Cel> cel = Fixtures.cel();
        assertThat(cel.stream()
                        .map(Fixtures.Cel::message)
                        .flatMap(Optional::stream)
                        .distinct())
                .as("messages after \"# expect: \" in fixtures/cel, against the rules of the CRD")
                .containsExactlyInAnyOrderElementsOf(crd.ruleMessages());
        List<String> folders = cel.stream()
                .map(fixture -> fixture.name().substring(0, fixture.name().indexOf('/')))
                .distinct()
                .toList();
        assertThat(folders).allSatisfy(folder -> {
            assertThat(cel).anySatisfy(fixture -> assertThat(fixture.name()).isEqualTo(folder + "/accept.yaml"));
            assertThat(cel).anySatisfy(fixture -> assertThat(fixture.name()).isEqualTo(folder + "/reject.yaml"));
        });
    }

    @Test
    void namesSayWhatIsExpected() {
        assertThat(Fixtures.cel()).allSatisfy(fixture -> {
            String prefix = fixture.message().isPresent() ? "reject" : "accept";
            assertThat(fixture.name().substring(fixture.name().indexOf('/') + 1))
                    .startsWith(prefix);
        });
    }

    @Test
    void everyPatternEnumAndBoundHasValues() {
        List<Fixtures.Field> fixtures = Fixtures.fields();
        List<String> without = new ArrayList<>();
        crd.fields().forEach((path, schema) -> {
            if (constrained(schema)
                    && fixtures.stream()
                            .noneMatch(f -> f.path().equals(path)
                                    && !f.accept().isEmpty()
                                    && !f.reject().isEmpty())) {
                without.add(path);
            }
        });
        assertThat(without).as("fields that fixtures/schema.yaml lacks").isEmpty();
        assertThat(fixtures).allSatisfy(f -> assertThat(crd.fields()).containsKey(f.path()));
    }

    @Test
    void everyWordOfAnEnumIsTried() {
        crd.fields().forEach((path, schema) -> {
            if (schema.getEnum() != null && !schema.getEnum().isEmpty()) {
                assertThat(Fixtures.fields().stream()
                                .filter(f -> f.path().equals(path))
                                .flatMap(f -> f.accept().stream()))
                        .as(path)
                        .containsExactlyInAnyOrderElementsOf(schema.getEnum());
            }
        });
    }

    @Test
    void theSampleWithEveryFieldHasEveryField() {
        assertThat(crd.fields().keySet())
                .allSatisfy(path -> assertThat(Fixtures.complete()
                                .at("/" + path.replace('.', '/'))
                                .isMissingNode())
                        .as(path + " is missing in manifests/samples/datachecksums-every-field.yaml")
                        .isFalse());
    }

    private static boolean constrained(JSONSchemaProps schema) {
        return schema.getPattern() != null
                || schema.getMinimum() != null
                || schema.getMaximum() != null
                || (schema.getEnum() != null && !schema.getEnum().isEmpty());
    }
}

package dev.datachecksums.e2e.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.datachecksums.operator.Options;
import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Gate;
import dev.datachecksums.operator.decide.check.Gates;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What README.md shows is what the files say. Its commands are run by {@code scripts/readme-commands}. */
class ReadmeTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private final String readme = read("README.md");

    @Test
    void showsTheSamplesAsTheyAre() {
        assertThat(blocks("yaml"))
                .containsExactly(
                        withoutLeadingComment(Manifests.text("samples/datachecksums.yaml")),
                        Manifests.text("samples/datachecksums-every-field.yaml"));
    }

    @Test
    void namesTargetsThatMakeHas() {
        List<String> targets = matches("(?m)(?:^|`)make ([a-z][-a-z0-9]*)", readme);
        assertThat(targets).isNotEmpty();
        assertThat(matches("(?m)^([a-z][-a-z0-9]*):.*## ", read("Makefile"))).containsAll(targets);
    }

    @Test
    void namesFilesThatThereAre() {
        List<String> files = matches("\\(((?:docs|manifests)/[^)]+)\\)", readme);
        assertThat(files)
                .isNotEmpty()
                .allSatisfy(file -> assertThat(ROOT.resolve(file)).exists());
        assertThat(matches("(manifests/[-a-z/.]+)", String.join("\n", blocks("sh"))))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(ROOT.resolve(file)).exists());
    }

    @Test
    void everyMakeTargetInACommandIsRunByContinuousIntegration() {
        String run = read(".ci/run");
        List<String> commands = matches("(?m)^(make [a-z0-9]+)$", String.join("\n", blocks("sh")));
        assertThat(commands).isNotEmpty().allSatisfy(command -> assertThat(run).contains(" " + command));
        assertThat(run).contains("scripts/readme-commands");
    }

    @Test
    void explainsEveryCheckOfTheGate() {
        Gate gate = Gates.standard();
        assertThat(Stream.concat(gate.server().stream(), gate.offline().stream())
                        .map(Check::name))
                .allSatisfy(name -> assertThat(readme).contains("`" + name + "`"));
    }

    @Test
    void explainsEveryFlag() {
        String usage = String.valueOf(
                catchThrowable(() -> Options.parse(List.of("--none"), Map.of())).getMessage());
        assertThat(matches("(--[a-z][-a-z]+)", usage))
                .hasSizeGreaterThan(2)
                .filteredOn(flag -> !flag.equals("--none"))
                .allSatisfy(flag -> assertThat(readme).contains("`" + flag + "`"));
    }

    /** As kubectl prints them: from the custom resource's columns, those of priority 0 without -o wide. */
    @Test
    void showsTheColumnsThatKubectlPrints() {
        List<String> narrow = new ArrayList<>(List.of("NAME"));
        List<String> wide = new ArrayList<>(List.of("NAME"));
        for (var column : Manifests.all(Manifests.FOLDER.resolve("crds")).stream()
                .map(CustomResourceDefinition.class::cast)
                .flatMap(d -> d.getSpec().getVersions().get(0).getAdditionalPrinterColumns().stream())
                .toList()) {
            String name = column.getName().toUpperCase(Locale.ROOT);
            wide.add(name);
            if (column.getPriority() == null || column.getPriority() == 0) {
                narrow.add(name);
            }
        }
        List<List<String>> shown = matches("(?m)^(NAME +DESIRED.*)$", readme).stream()
                .map(line -> List.of(line.split(" +", -1)))
                .distinct()
                .toList();
        assertThat(shown).containsExactlyInAnyOrder(narrow, wide);
        // What is shown of kubectl explain is a description of the schema, wrapped.
        String explained = matches("(?s)FIELDS:\n  maxOutage\t<string>\n(.*?)```", readme)
                .get(0)
                .replaceAll("\\s+", " ")
                .strip();
        assertThat(read("docs/api.md").contains(explained)).as(explained).isTrue();
    }

    private List<String> blocks(String language) {
        return matches("(?ms)^```" + language + "\\n(.*?)^```$", readme);
    }

    private static List<String> matches(String regex, String text) {
        return Pattern.compile(regex)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .distinct()
                .toList();
    }

    private static String withoutLeadingComment(String yaml) {
        return yaml.replaceFirst("(?s)\\A(#[^\\n]*\\n)+", "");
    }

    private static String read(String file) {
        try {
            return Files.readString(ROOT.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

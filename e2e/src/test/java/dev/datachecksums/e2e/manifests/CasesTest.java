package dev.datachecksums.e2e.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every test that docs/cases.md names exists, and every case has one. */
class CasesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        Map<String, String> sources = sources();
        String page = Files.readString(ROOT.resolve("docs/cases.md"));
        assertThat(Pattern.compile("`(\\w+)#(\\w+)`").matcher(page).results().toList())
                .hasSizeGreaterThan(36)
                .allSatisfy((MatchResult named) -> assertThat(sources.getOrDefault(named.group(1), ""))
                        .as(named.group())
                        .containsPattern("\\bvoid " + named.group(2) + "\\("));
    }

    @Test
    void everyCaseHasATest() throws IOException {
        assertThat(Files.readString(ROOT.resolve("docs/cases.md"))
                        .lines()
                        .filter(line -> line.matches("\\| \\d+ \\|.*"))
                        .toList())
                .hasSizeGreaterThan(30)
                .allSatisfy(row -> assertThat(row).matches(".*`\\w+#\\w+` \\|"));
    }

    private static Map<String, String> sources() {
        Map<String, String> sources = new TreeMap<>();
        for (String module : new String[] {"crds", "operator", "e2e"}) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test"))) {
                files.filter(f -> f.toString().endsWith(".java"))
                        .forEach(f -> sources.put(f.getFileName().toString().replace(".java", ""), read(f)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return sources;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.datachecksums.e2e.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.datachecksums.operator.Main;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The image that {@code make image} has just built, as far as its configuration says what it is. */
@Tag("cluster")
class ImageE2E {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path TAR = ROOT.resolve("operator/target/jib-image.tar");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final JsonNode manifest = json("manifest.json").get(0);
    private final JsonNode container = json(manifest.get("Config").textValue()).get("config");

    @Test
    void saysWhatItIs() throws IOException {
        JsonNode labels = container.get("Labels");
        assertThat(labels.path("org.opencontainers.image.title").textValue()).isEqualTo("data-checksums operator");
        assertThat(labels.path("org.opencontainers.image.description").textValue())
                .isNotBlank();
        assertThat(labels.path("org.opencontainers.image.version").textValue()).isEqualTo(Manifests.version());
        // Of a work tree with changes it is the commit, and says that there are some.
        assertThat(labels.path("org.opencontainers.image.revision").textValue())
                .startsWith(run("git", "rev-parse", "HEAD").strip());
        assertThat(texts(manifest.get("RepoTags"))).containsExactly("datachecksums/operator:" + Manifests.version());
    }

    @Test
    void runsAsNobodyInParticularAndNeedsNoShell() {
        assertThat(container.get("User").textValue()).isEqualTo("65532:65532");
        List<String> entrypoint = texts(container.get("Entrypoint"));
        assertThat(entrypoint).startsWith("java").endsWith(Main.class.getName());
        assertThat(entrypoint.subList(1, entrypoint.size() - 1))
                .allSatisfy(word -> assertThat(word).matches("-[A-Za-z].*|@/app/jib-classpath-file"));
        // Nothing of the base's own is run behind it or beside it.
        assertThat(texts(container.path("Cmd"))).isEmpty();
        assertThat(container.path("Healthcheck").isMissingNode()).isTrue();
        assertThat(container.path("Volumes").isEmpty()).isTrue();
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::textValue)
                .toList();
    }

    private static JsonNode json(String file) {
        try {
            return JSON.readTree(run("tar", "-xOf", TAR.toString(), file));
        } catch (IOException e) {
            throw new IllegalStateException(file + " of " + TAR + " cannot be read", e);
        }
    }

    private static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(ROOT.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}

package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.e2e.testbed.Testbed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The commands of a page of the documentation, run as they stand there but for the databases' namespace. */
final class Commands {
    private static final Path ROOT = Path.of("..");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ ");

    private Commands() {}

    /** All of the page, in order. */
    static List<String> of(Path page) throws IOException {
        return in(Files.readString(page));
    }

    /** Those under that heading, up to the next one. */
    static List<String> under(Path page, String heading) throws IOException {
        return HEADING.splitAsStream(Files.readString(page))
                .filter(part -> part.startsWith(heading + "\n"))
                .flatMap(part -> in(part).stream())
                .toList();
    }

    private static List<String> in(String text) {
        return BLOCK.matcher(text).results().flatMap(m -> m.group(1).lines()).toList();
    }

    /** Runs it in the project's root, and fails with what it said if it fails. */
    static String run(Testbed testbed, String command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        "bash", "-euo", "pipefail", "-c", command.replace("-n shop", "-n " + testbed.namespace()))
                .directory(ROOT.toFile())
                .redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", testbed.kubeconfig().toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(6, TimeUnit.MINUTES)).as(command).isTrue();
        assertThat(process.exitValue()).as("%s\n%s", command, output).isZero();
        return output;
    }
}

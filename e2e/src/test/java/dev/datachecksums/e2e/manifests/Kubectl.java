package dev.datachecksums.e2e.manifests;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** kubectl, as a person runs it, from the project's root and against $KUBECONFIG. */
final class Kubectl {
    private static final long LIMIT_SECONDS = 120;

    private Kubectl() {}

    /** What it said, on both streams, and its exit code. */
    record Result(int code, String output) {}

    static Result run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kubectl"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(Manifests.FOLDER.resolve("..").toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("still running after " + LIMIT_SECONDS + " s: " + command);
        }
        return new Result(process.exitValue(), output);
    }
}

package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.datachecksums.operator.postgres.LocalPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** One run of the script as the Job's pod runs it, as a process here, and what it has said. */
final class AgentRun implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Process process;
    private final Path output;
    private final Path errors;
    private final Path termination;

    private AgentRun(Process process, Path output, Path errors, Path termination) {
        this.process = process;
        this.output = output;
        this.errors = errors;
        this.termination = termination;
    }

    static String script() {
        return JobScript.inPlace();
    }

    static AgentRun start(LocalPostgres postgres, TestShell shell, String mode, Map<String, String> environment) {
        return start(script(), postgres, shell, mode, environment);
    }

    static AgentRun start(
            String script, LocalPostgres postgres, TestShell shell, String mode, Map<String, String> environment) {
        try {
            Path output = Files.createTempFile(postgres.home(), "agent", ".out");
            Path errors = Files.createTempFile(postgres.home(), "agent", ".err");
            Path termination = Files.createTempFile(postgres.home(), "agent", ".term");
            Files.setPosixFilePermissions(termination, PosixFilePermissions.fromString("rw-rw-rw-"));
            // As in a container: what starts the tests may ignore signals (nohup), and a shell cannot trap one that it
            // found ignored. The
            // paths are whole ones: the PATH is the script's.
            List<String> command = new ArrayList<>(List.of("/usr/bin/env", "--default-signal=HUP,INT,QUIT,TERM"));
            if (postgres.account().switched()) {
                command.addAll(List.of(
                        "/usr/bin/setpriv",
                        "--reuid=" + postgres.uid(),
                        "--regid=" + postgres.gid(),
                        "--clear-groups",
                        "--"));
            }
            command.addAll(List.of(shell.command().toString(), "-c", script));
            Map<String, String> all = new HashMap<>(Map.of(
                    // A server that a test starts is none of the run's business, unless the test says so.
                    "DCK_LINGER_FOR", "0",
                    "PATH", shell.path(),
                    "PGDATA", postgres.dataDirectory().toString(),
                    "DCK_MODE", mode,
                    "DCK_HOST", postgres.address(),
                    "DCK_PORT", Integer.toString(postgres.port()),
                    "DCK_BINDIR", postgres.bin().toString(),
                    "DCK_TERMINATION_LOG", termination.toString()));
            all.putAll(environment);
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(Path.of("/").toFile())
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile());
            builder.environment().clear();
            builder.environment().putAll(all);
            return new AgentRun(builder.start(), output, errors, termination);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every line so far; fails if one is not JSON with a step and a time. */
    List<JsonNode> said() {
        try {
            List<JsonNode> nodes = new ArrayList<>();
            String text = Files.readString(output);
            for (String line :
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
                JsonNode node = JSON.readTree(line);
                assertThat(node.path("step").asText()).as(line).isNotEmpty();
                assertThat(node.path("ms").isIntegralNumber()).as(line).isTrue();
                nodes.add(node);
            }
            return nodes;
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The steps said, without repetitions. */
    List<String> steps() {
        return said().stream().map(n -> n.path("step").asText()).distinct().toList();
    }

    JsonNode awaitStep(String step) {
        try {
            Awaitility.await()
                    .atMost(SOON)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> steps().contains(step) || !process.isAlive());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("not said: " + step + "; " + everything(), e);
        }
        return said().stream()
                .filter(n -> n.path("step").asText().equals(step))
                .findFirst()
                .orElseThrow(() -> new AssertionError("ended without " + step + "; " + everything()));
    }

    boolean ended() {
        return !process.isAlive();
    }

    /** Waits for the end and asserts the exit status; returns the last line, which must be the termination message. */
    JsonNode awaitEnd(int status) {
        try {
            assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS))
                    .as(() -> "ends; " + everything())
                    .isTrue();
            assertThat(process.exitValue()).as(this::everything).isEqualTo(status);
            List<JsonNode> lines = said();
            JsonNode last = lines.get(lines.size() - 1);
            String message = Files.readString(termination);
            assertThat(message.length()).isLessThanOrEqualTo(4096);
            assertThat(JSON.readTree(message)).isEqualTo(last);
            return last;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Waits for an end that was not well, and asserts its reason, and that a server may start. */
    JsonNode awaitFailure(int status, String reason) {
        JsonNode last = awaitEnd(status);
        assertThat(last.path("step").asText()).isEqualTo(status == 2 ? "refused" : "failed");
        assertThat(last.path("reason").asText()).as(this::everything).isEqualTo(reason);
        assertThat(last.path("lifted").asBoolean()).as(this::everything).isTrue();
        return last;
    }

    /** What it started of this name and still runs. */
    List<ProcessHandle> processes(String program) {
        return process.descendants()
                .filter(child -> child.info().command().orElse("").endsWith("/" + program))
                .toList();
    }

    /** As the container runtime asks it to stop. */
    void signal(String name) {
        try {
            int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            assertThat(status).as(this::everything).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** As the kernel ends a container: everything in it at once, without a word. */
    void killContainer() {
        if (process.isAlive()) {
            // Stopped first, so that it starts nothing more.
            signal("STOP");
        }
        List<ProcessHandle> all = process.descendants().toList();
        process.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
        Awaitility.await()
                .atMost(SOON)
                .until(() -> !process.isAlive() && all.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** Only the shell is killed; what it started lives on. */
    void killShellAlone() {
        process.destroyForcibly();
        Awaitility.await().atMost(SOON).until(() -> !process.isAlive());
    }

    String everything() {
        try {
            return Files.readString(output) + Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        killContainer();
    }
}

package dev.datachecksums.e2e.testbed.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One container of a pod: its instances one after the other, their logs and states. Used by its pod's thread only, but for the log. */
final class ContainerRunner {
    private static final int LONGEST_MESSAGE = 4096;

    private final JsonNode spec;
    private final Images.Image image;
    private final Path home;
    private final LocalProcesses processes;
    private volatile ContainerLog log = new ContainerLog();
    private volatile @Nullable ContainerLog previousLog;
    private volatile @Nullable Process process;
    private ObjectNode state = waiting("ContainerCreating", "");
    private ObjectNode lastState = Json.object();
    private Instant started = Instant.EPOCH;
    private int restarts = -1;
    private boolean ready;

    /** @param home a directory of this container's own */
    ContainerRunner(JsonNode spec, Images.Image image, Path home, LocalProcesses processes) {
        this.spec = spec;
        this.image = image;
        this.home = home;
        this.processes = processes;
    }

    String name() {
        return spec.path("name").asText();
    }

    Images.Image image() {
        return image;
    }

    /** Starts the next instance; the result completes when it has ended and its log is complete. */
    CompletableFuture<Void> start(ContainerCommand command) {
        restarts++;
        if (restarts > 0) {
            previousLog = log;
            log = new ContainerLog();
            lastState = state;
        }
        Path message = home.resolve("termination-log");
        Map<String, String> environment = command.environment();
        environment.put("DCK_TERMINATION_LOG", message.toString());
        try {
            Files.createDirectories(home);
            Files.writeString(message, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        processes.own(home);
        Process running = processes.start(command.words(message.toString()), environment, home);
        process = running;
        started = Instant.now();
        state = Json.object();
        state.putObject("running").put("startedAt", Json.time(started));
        ContainerLog target = log;
        CompletableFuture<Void> logged =
                CompletableFuture.runAsync(() -> copy(running, target), work -> daemon(work, "embedded-log-" + name()));
        // Should a stray process keep the pipe open, the container has ended all the same.
        return running.onExit().thenCompose(exited -> {
            LocalProcesses.endGroup(exited);
            return logged.completeOnTimeout(null, 3, TimeUnit.SECONDS);
        });
    }

    private static void daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void copy(Process process, ContainerLog log) {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                log.add(line);
            }
        } catch (IOException e) {
            log.add("(the log breaks off: " + e.getMessage() + ")");
        } finally {
            log.close();
        }
    }

    /** Takes down how the instance that ended has ended. */
    void ended() {
        Process last = process;
        if (last == null || last.isAlive() || !state.has("running")) {
            return;
        }
        int code = last.exitValue();
        ObjectNode terminated = Json.object().put("exitCode", code);
        terminated.put("reason", code == 0 ? "Completed" : "Error");
        terminated.put("startedAt", Json.time(started)).put("finishedAt", Json.time(Instant.now()));
        String message = message(code);
        if (!message.isEmpty()) {
            terminated.put("message", message);
        }
        state = Json.object();
        state.set("terminated", terminated);
        ready = false;
    }

    private String message(int code) {
        try {
            String text = Files.readString(home.resolve("termination-log"));
            boolean fromLog = spec.path("terminationMessagePolicy").asText().equals("FallbackToLogsOnError");
            if (text.isEmpty() && code != 0 && fromLog) {
                return log.tail(80, 2048);
            }
            return text.length() > LONGEST_MESSAGE ? text.substring(0, LONGEST_MESSAGE) : text;
        } catch (IOException e) {
            return "";
        }
    }

    /** Says that it waits, for its image or for another try; what ended before becomes its last state. */
    void waitFor(String reason, String message) {
        if (state.has("terminated")) {
            lastState = state;
        }
        state = waiting(reason, message);
    }

    private static ObjectNode waiting(String reason, String message) {
        ObjectNode state = Json.object();
        ObjectNode waiting = state.putObject("waiting").put("reason", reason);
        if (!message.isEmpty()) {
            waiting.put("message", message);
        }
        return state;
    }

    boolean running() {
        return state.has("running");
    }

    boolean terminated() {
        return state.has("terminated");
    }

    boolean failed() {
        return Json.at(state, "terminated.exitCode").asInt() != 0;
    }

    boolean everStarted() {
        return restarts >= 0;
    }

    int restarts() {
        return Math.max(restarts, 0);
    }

    void setReady(boolean ready) {
        this.ready = ready && running();
    }

    boolean ready() {
        return ready;
    }

    void signal(String signal) {
        Process now = process;
        if (now != null) {
            LocalProcesses.signal(now, signal);
        }
    }

    /** From any thread: the kernel's way. */
    void kill() {
        Process now = process;
        if (now != null && now.isAlive()) {
            LocalProcesses.kill(now);
        }
    }

    Duration ranFor() {
        return Duration.between(started, Instant.now());
    }

    /** The id of the first process; empty if none runs. */
    java.util.OptionalLong pid() {
        Process now = process;
        return now != null && now.isAlive() ? java.util.OptionalLong.of(now.pid()) : java.util.OptionalLong.empty();
    }

    ContainerLog log() {
        return log;
    }

    @Nullable
    ContainerLog previousLog() {
        return previousLog;
    }

    ObjectNode status(String podUid) {
        ObjectNode status = Json.object().put("name", name());
        status.set("state", state.deepCopy());
        status.set("lastState", lastState.deepCopy());
        status.put("ready", ready).put("started", running()).put("restartCount", restarts());
        status.put("image", spec.path("image").asText());
        status.put("imageID", "embedded://" + spec.path("image").asText());
        return status.put("containerID", everStarted() ? "embedded://" + podUid + "/" + name() + "/" + restarts() : "");
    }
}

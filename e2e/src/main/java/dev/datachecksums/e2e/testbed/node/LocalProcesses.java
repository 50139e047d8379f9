package dev.datachecksums.e2e.testbed.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Runs the processes of containers: as an unprivileged user if we are root, each in a session of its own, and killed by the kernel should
 * this JVM be killed. For the last, one thread starts them all and lives as long as we do.
 */
final class LocalProcesses implements AutoCloseable {
    private final String uid;
    private final String gid;
    private final boolean switched;
    private final ExecutorService spawner = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "embedded-spawner");
        thread.setDaemon(true);
        return thread;
    });

    LocalProcesses() {
        boolean root = output("id", "-u").equals("0");
        String user = root && !output("id", "-u", "postgres").isEmpty() ? "postgres" : root ? "nobody" : "";
        switched = root;
        uid = user.isEmpty() ? output("id", "-u") : output("id", "-u", user);
        gid = user.isEmpty() ? output("id", "-g") : output("id", "-g", user);
    }

    /** The user that containers run as, whatever they ask for. */
    String uid() {
        return uid;
    }

    Process start(List<String> command, Map<String, String> environment, Path directory) {
        List<String> words = new ArrayList<>(List.of("setsid", "setpriv", "--pdeathsig=KILL"));
        if (switched) {
            words.addAll(List.of("--reuid=" + uid, "--regid=" + gid, "--clear-groups"));
        }
        words.add("--");
        words.addAll(command);
        ProcessBuilder builder =
                new ProcessBuilder(words).redirectErrorStream(true).directory(directory.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            Process process = spawner.submit(builder::start).get();
            process.getOutputStream().close();
            return process;
        } catch (ExecutionException | IOException e) {
            throw new IllegalStateException("could not start " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Runs a program to its end as the containers' user and says how it ended. */
    int run(List<String> command, Map<String, String> environment) {
        Process process = start(command, environment, Path.of("/"));
        try (InputStream output = process.getInputStream()) {
            output.transferTo(java.io.OutputStream.nullOutputStream());
            return process.waitFor();
        } catch (InterruptedException | InterruptedIOException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return -1;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives a path and what is below it to the containers' user. */
    void own(Path path) {
        if (switched) {
            output("chown", "-R", "-h", uid + ":" + gid, path.toString());
        }
    }

    /** Sends a signal by name to the first process of a container. */
    static void signal(Process process, String name) {
        if (process.isAlive()) {
            output("kill", "-" + name, Long.toString(process.pid()));
        }
    }

    /** Kills a container's first process and, as its end does in a container, all the others. */
    static void kill(Process process) {
        List<ProcessHandle> others = process.descendants().toList();
        process.destroyForcibly();
        others.forEach(ProcessHandle::destroyForcibly);
        endGroup(process);
    }

    /** Ends what the first process left behind in its group. */
    static void endGroup(Process process) {
        output("kill", "-KILL", "--", "-" + process.pid());
    }

    private static String output(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0 ? text.strip() : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    @Override
    public void close() {
        spawner.shutdownNow();
    }
}

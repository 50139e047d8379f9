package dev.datachecksums.operator.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The OS user that runs a local server: ourselves, or, when we are root, an unprivileged one. */
public record OsAccount(int uid, int gid, boolean switched) {
    private static final Duration TOOL_WITHIN = Duration.ofMinutes(2);

    static OsAccount choose() {
        int self = id("-u", null).orElseThrow();
        if (self != 0) {
            return new OsAccount(self, id("-g", null).orElseThrow(), false);
        }
        String user = id("-u", "postgres").isPresent() ? "postgres" : "nobody";
        return new OsAccount(id("-u", user).orElseThrow(), id("-g", user).orElseThrow(), true);
    }

    private static OptionalInt id(String option, @Nullable String user) {
        List<String> command = new ArrayList<>(List.of("id", option));
        if (user != null) {
            command.add(user);
        }
        ToolResult result = runBounded(command);
        return result.exitCode() == 0
                ? OptionalInt.of(Integer.parseInt(result.output().strip()))
                : OptionalInt.empty();
    }

    /** Gives a path and everything below it to this user. */
    void own(Path path) {
        if (switched) {
            runBounded(List.of("chown", "-R", "-h", uid + ":" + gid, path.toString()))
                    .orThrow();
        }
    }

    /** Runs a program to its end as this user, for at most two minutes; its process group's members are ended if it takes longer. */
    public ToolResult run(Path directory, String tool, String... arguments) {
        return runBounded(command(directory, tool, arguments));
    }

    Process spawn(Path directory, Path log, String tool, String... arguments) {
        try {
            return prepared(command(directory, tool, arguments))
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> command(Path directory, String tool, String... arguments) {
        List<String> command = new ArrayList<>();
        if (switched) {
            command.addAll(List.of("setpriv", "--reuid=" + uid, "--regid=" + gid, "--clear-groups", "--"));
        }
        command.add(directory.resolve(tool).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private static ProcessBuilder prepared(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // A directory that every user may enter: the tools complain otherwise.
        builder.directory(Path.of("/").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    private static ToolResult runBounded(List<String> command) {
        Path output = null;
        try {
            // To a file and not a pipe: a daemon left behind by the program would keep a pipe open.
            output = Files.createTempFile("dck-tool", ".out");
            Process process = prepared(command).redirectOutput(output.toFile()).start();
            process.getOutputStream().close();
            boolean ended = waitFor(process, TOOL_WITHIN);
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
            if (!ended) {
                throw new IllegalStateException(command + " did not end in " + TOOL_WITHIN + ":\n" + text);
            }
            return new ToolResult(process.exitValue(), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (output != null) {
                deleteTree(output);
            }
        }
    }

    static boolean waitFor(Process process, Duration atMost) {
        try {
            return process.waitFor(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    static void deleteTree(Path root) {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.datachecksums.operator.offline;

import dev.datachecksums.operator.postgres.LocalPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A directory that is first in the script's PATH: PostgreSQL's own programs, and in front of some tool a stand-in that stops at a chosen
 * call, so that a test can look, kill or interfere at exactly that point.
 */
final class FakeTools {
    private final Path directory;
    private final Path paused;
    private final Path released;

    FakeTools(LocalPostgres postgres) {
        try {
            directory = Files.createTempDirectory(postgres.home(), "tools");
            paused = directory.resolve("paused");
            released = directory.resolve("released");
            // The script's user writes the counters and the marks.
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
            try (Stream<Path> programs = Files.list(postgres.bin())) {
                for (Path program : programs.toList()) {
                    Files.createSymbolicLink(directory.resolve(program.getFileName()), program);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path directory() {
        return directory;
    }

    /** The tool's nth call waits before it does its work. */
    FakeTools pauseBefore(String tool, int call) {
        return write(tool, "[ $n != " + call + " ] || pause\n\"$real\" \"$@\"");
    }

    /** The tool's nth call waits when it has done its work. */
    FakeTools pauseAfter(String tool, int call) {
        return write(tool, "\"$real\" \"$@\"; rc=$?\n[ $n != " + call + " ] || pause\nexit $rc");
    }

    /** The tool fails in some of its calls, saying why. */
    FakeTools failing(String tool, int from, int to, String message) {
        return write(
                tool,
                "if [ $n -ge " + from + " ] && [ $n -le " + to + " ]; then echo '" + message
                        + "' >&2; exit 1; fi\n\"$real\" \"$@\"");
    }

    /** pg_checksums is stopped by a signal once it has written a megabyte: in the middle of its work. */
    FakeTools stopMidRewrite() {
        return write("pg_checksums", """
                case $1 in --version) exec "$real" "$@" ;; esac
                read -r me _ </proc/self/stat
                (
                  written=0
                  while [ "$written" -lt 1000000 ]; do
                    while read -r key value; do [ "$key" != wchar: ] || written=$value; done <"/proc/$me/io" || exit
                  done
                  kill -STOP "$me" && : >"$here/paused"
                ) </dev/null >/dev/null 2>&1 6<&- 7>&- 8<&- 9<&- &
                exec "$real" "$@"
                """);
    }

    /** From the moment of {@link #count()} on the nth call of any of the tools waits before it does its work. */
    FakeTools pauseBeforeNth(int call, String... tools) {
        for (String tool : tools) {
            write(tool, """
                    if [ -e "$here/counting" ]; then
                      all=$(($(cat "$here/all.calls" 2>/dev/null || echo 0) + 1)); echo $all >"$here/all.calls"
                      [ $all != %d ] || pause
                    fi
                    exec "$real" "$@"
                    """.formatted(call));
        }
        return this;
    }

    void count() {
        try {
            Files.createFile(directory.resolve("counting"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isPaused() {
        return Files.exists(paused);
    }

    /** A tool of our own. */
    FakeTools replace(String tool, String body) {
        return write(tool, body);
    }

    private FakeTools write(String tool, String body) {
        try {
            Path file = directory.resolve(tool);
            Path real =
                    Files.exists(file) ? file.toRealPath() : Path.of("/usr/bin").resolve(tool);
            Files.deleteIfExists(file);
            Files.writeString(file, """
                    #!/bin/sh
                    here=%s real=%s
                    pause() { : >"$here/paused"; while [ ! -e "$here/released" ]; do sleep 0.02; done; }
                    n=$(($(cat "$here/%s.calls" 2>/dev/null || echo 0) + 1)); echo $n >"$here/%s.calls"
                    %s
                    """.formatted(directory, real, tool, tool, body));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitPaused() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> Files.exists(paused));
    }

    void release() {
        try {
            Files.createFile(released);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

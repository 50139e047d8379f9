package dev.datachecksums.e2e.faults;

import dev.datachecksums.e2e.testbed.PostgresSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The programs by which the Job's script changes something, seen through stand-ins that come before them in the script's PATH: they lie
 * beside the server's own binary in the volume, where the script looks first. Each writes down that it was called and, where it is wished,
 * waits before or after the real one until it may go on or is killed.
 */
final class ScriptSeam implements AutoCloseable {
    private static final long LOOK = 5_000_000;

    /** Arguments lose their directories, the script's process id and the names of WAL segments. $volume/faults/at holds a wish a file: side, count, step. */
    private static final String STAND_IN = """
            #!/bin/sh
            name=${0##*/} volume=${0%/tools/*} step=$name
            for a in "$@"; do
              a=${a##*/}
              case ${#a}/$a in */dck.[0-9]*) a=dck.N ;; 24/0000*) a=SEGMENT ;; esac
              step="$step $a"
            done
            real=REAL/$name
            [ -x "$real" ] || real=$(PATH=$(printf %s "$PATH" | sed "s#$volume/tools:##g"); command -v "$name")
            case $DCK_MODE$step in
              *' --version' | "$step") exec "$real" "$@" ;;
            esac
            echo "$step" >>"$volume/faults/trace"
            nth=$(grep -cxF -e "$step" "$volume/faults/trace")
            meet() {
              for wish in "$volume"/faults/at/*; do
                [ -e "$wish" ] && [ "$(cat "$wish")" = "$1 $nth $step" ] || continue
                : >"$volume/faults/met/${wish##*/}"
                while [ -e "$wish" ]; do sleep .02; done
              done
            }
            meet BEFORE
            "$real" "$@"
            status=$?
            meet AFTER
            exit $status
            """;

    private static final String PREPARE = """
            set -eu
            volume=${PGDATA%/*} bin=${PGDATA%/*}/tools
            real=$(dirname "$(readlink -f "$(command -v postgres)")")
            mkdir -p "$bin"
            if [ ! -e "$bin/postgres" ]; then
              mkdir -p "$volume/faults/at" "$volume/faults/met"
              : >"$volume/faults/trace"
              for name in mv rm cp ln mkdir rmdir chmod chgrp chown dd sync touch truncate install tee \\
                  pg_checksums pg_ctl pg_resetwal pg_rewind pg_basebackup initdb; do
                printf '%s' "$STAND_IN" | sed "s:REAL:$real:" >"$bin/$name"
                chmod +x "$bin/$name"
              done
              cp "$real/postgres" "$bin/new" && mv "$bin/new" "$bin/postgres"
            fi
            if [ ! -s "$PGDATA/PG_VERSION" ]; then
              mkdir -p -m 700 "$PGDATA"
              (umask 077; printf '%s\\n' "$POSTGRES_PASSWORD" >"$volume/password")
              "$real/initdb" -N -U postgres --pwfile="$volume/password" --auth-local=trust --auth-host=scram-sha-256 \\
                -E UTF8 --locale=C.UTF-8 $POSTGRES_INITDB_ARGS -D "$PGDATA"
              rm "$volume/password"
              echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
            fi
            exec "$bin/postgres" -D "$PGDATA" -c listen_addresses="${POD_IP:-*}" \\
              -c unix_socket_directories="${SOCKET_DIRECTORY:-/var/run/postgresql}" "$@"
            """;

    private record Wish(Path at, Path met, Runnable fault, CompletableFuture<Void> fired) {}

    private final Path folder;
    private final List<Wish> wishes = new CopyOnWriteArrayList<>();
    private final ExecutorService faults = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "script-fault");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicInteger number = new AtomicInteger();

    /** Of the server whose volume that is. */
    ScriptSeam(Path volume) {
        folder = volume.resolve("faults");
        allow(folder);
        allow(folder.resolve("at"));
        allow(folder.resolve("met"));
        faults.execute(this::look);
    }

    /** A server whose Jobs come by here. */
    static PostgresSpec on(PostgresSpec spec) {
        String tool = "STAND_IN='" + STAND_IN.replace("'", "'\\''") + "'\n";
        return spec.withCommand("sh", "-c", tool + PREPARE, "server");
    }

    private static void allow(Path folder) {
        try {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Forgets what has passed and what is waited for: a script that waits goes on. */
    void begin() {
        wishes.forEach(this::grant);
        write(folder.resolve("trace"), "");
        allow(folder.resolve("trace"));
    }

    private void grant(Wish wish) {
        wishes.remove(wish);
        delete(wish.at());
    }

    /** Runs something at a point, while the script waits there; completed once it has run. */
    CompletableFuture<Void> arm(Point point, Side side, Runnable fault) {
        String name = "wish" + number.incrementAndGet();
        Wish wish = new Wish(
                folder.resolve("at").resolve(name),
                folder.resolve("met").resolve(name),
                fault,
                new CompletableFuture<>());
        wishes.add(wish);
        // Never seen half written.
        Path made = folder.resolve(name);
        write(made, side + " " + point.nth() + " " + point.step());
        try {
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-r--r--"));
            Files.move(made, wish.at());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return wish.fired();
    }

    /** In the order of the script. */
    List<Point> passed() {
        Map<String, Integer> counts = new HashMap<>();
        List<Point> points = new ArrayList<>();
        for (String step : read(folder.resolve("trace")).lines().toList()) {
            points.add(new Point(Seam.SCRIPT, step, counts.merge(step, 1, Integer::sum)));
        }
        return points;
    }

    private void look() {
        while (!faults.isShutdown()) {
            for (Wish wish : wishes) {
                if (Files.exists(wish.met())) {
                    delete(wish.met());
                    faults.execute(() -> meet(wish));
                }
            }
            LockSupport.parkNanos(LOOK);
        }
    }

    private void meet(Wish wish) {
        try {
            wish.fault().run();
        } finally {
            grant(wish);
            wish.fired().complete(null);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        faults.shutdownNow();
    }
}

package dev.datachecksums.operator.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;

/** A real PgBouncer on this machine in front of a local server, in the given mode; it logs everybody in as the superuser. */
public final class LocalPgBouncer implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofSeconds(20);

    /** When a client gives its server session back: PgBouncer's {@code pool_mode}. */
    public enum Mode {
        SESSION,
        TRANSACTION
    }

    private final Path home;
    private final int port;
    private final Process process;

    private LocalPgBouncer(Path home, int port, Process process) {
        this.home = home;
        this.port = port;
        this.process = process;
    }

    /** Starts it and returns once it takes connections; throws with its log if it does not. */
    public static LocalPgBouncer before(LocalPostgres server, Mode mode) {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = free.getLocalPort();
            free.close();
            Path home = Files.createTempDirectory("dck-pgbouncer");
            Path file = home.resolve("pgbouncer.ini");
            Files.writeString(file, """
                    [databases]
                    * = host=%s port=%d user=postgres
                    [pgbouncer]
                    listen_addr = 127.0.0.1
                    listen_port = %d
                    unix_socket_dir =
                    auth_type = any
                    pool_mode = %s
                    """.formatted(
                            server.address(), server.port(), port, mode.name().toLowerCase(Locale.ROOT)));
            server.account().own(home);
            Path log = home.resolve("log");
            Process process = server.account().spawn(programs(), log, "pgbouncer", file.toString());
            LocalPgBouncer made = new LocalPgBouncer(home, port, process);
            made.awaitReady(log);
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path programs() {
        return Stream.concat(
                        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1)),
                        Stream.of("/usr/sbin", "/usr/local/sbin"))
                .map(Path::of)
                .filter(directory -> Files.isExecutable(directory.resolve("pgbouncer")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no pgbouncer was found: make setup installs it"));
    }

    private void awaitReady(Path log) throws IOException {
        long end = System.nanoTime() + READY_WITHIN.toNanos();
        while (!listens()) {
            if (OsAccount.waitFor(process, Duration.ofMillis(20)) || System.nanoTime() > end) {
                String said = Files.readString(log);
                close();
                throw new IllegalStateException("PgBouncer is not ready:\n" + said);
            }
        }
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** The way to the server through it. */
    public ServerTarget target() {
        return new ServerTarget(
                new ServerAddress("127.0.0.1", port, "postgres"),
                new Credentials("postgres", "unused"),
                Tls.of(Tls.Mode.DISABLE),
                Targets.AMPLE);
    }

    @Override
    public void close() {
        process.destroy();
        if (!OsAccount.waitFor(process, Duration.ofSeconds(10))) {
            process.destroyForcibly();
        }
        OsAccount.deleteTree(home);
    }
}

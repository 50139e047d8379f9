package dev.datachecksums.operator.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A real PostgreSQL server on this machine, of the installed version, in a directory of its own. As root it is run as an unprivileged
 * user, as PostgreSQL demands. Every wait is bounded; {@link #close()} ends its own processes only and removes the directory.
 */
public final class LocalPostgres implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);
    private static final Duration STOPPED_WITHIN = Duration.ofSeconds(60);

    private final OsAccount account;
    private final Path bin;
    private final Path home;
    private final String address;
    private final int port;
    private final @Nullable String password;
    private final Thread closeAtExit = new Thread(this::close, "close-local-postgres");
    private @Nullable Process postmaster;
    private boolean closed;

    LocalPostgres(OsAccount account, Path bin, Path home, String address, int port, @Nullable String password) {
        this.account = account;
        this.bin = bin;
        this.home = home;
        this.address = address;
        this.port = port;
        this.password = password;
        Runtime.getRuntime().addShutdownHook(closeAtExit);
    }

    public static LocalPostgresBuilder builder() {
        return new LocalPostgresBuilder();
    }

    /** How {@link #stop} ends the server: FAST disconnects clients and is clean, IMMEDIATE leaves recovery to the next start. */
    public enum StopMode {
        FAST("INT"),
        IMMEDIATE("QUIT");

        private final String signal;

        StopMode(String signal) {
            this.signal = signal;
        }
    }

    /** Starts the server and returns once it takes connections. Throws with the end of its log if it dies or is not ready in time. */
    public LocalPostgres start() {
        if (isRunning()) {
            throw new IllegalStateException("already running");
        }
        Process started =
                account.spawn(bin, logFile(), "postgres", "-D", dataDirectory().toString());
        postmaster = started;
        long deadline = System.nanoTime() + READY_WITHIN.toNanos();
        while (!isReady(started)) {
            boolean ended = OsAccount.waitFor(started, Duration.ofMillis(20));
            if (ended || System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        (ended ? "the server ended with " + started.exitValue() : "not ready in " + READY_WITHIN)
                                + ":\n" + log());
            }
        }
        return this;
    }

    /** Starts the server and does not wait until it is ready. */
    public Process spawn() {
        if (isRunning()) {
            throw new IllegalStateException("already running");
        }
        Process started =
                account.spawn(bin, logFile(), "postgres", "-D", dataDirectory().toString());
        postmaster = started;
        return started;
    }

    private boolean isReady(Process started) {
        try {
            List<String> lines = Files.readAllLines(pidFile());
            return lines.size() >= 8
                    && lines.get(0).equals(Long.toString(started.pid()))
                    && (lines.get(7).startsWith("ready") || lines.get(7).startsWith("standby"));
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Stops the server and waits for its end. No effect if it does not run. */
    public void stop(StopMode mode) {
        signal(mode.signal);
        awaitStopped();
    }

    /** Kills the postmaster as the kernel would: no shutdown checkpoint, the pid file stays. */
    public void kill9() {
        Process running = postmaster;
        if (running != null) {
            List<ProcessHandle> backends = running.descendants().toList();
            running.destroyForcibly();
            backends.forEach(ProcessHandle::destroyForcibly);
            awaitStopped();
        }
    }

    public void restart() {
        stop(StopMode.FAST);
        start();
    }

    /** Waits for a server that something else is stopping. */
    public void awaitStopped() {
        Process running = postmaster;
        if (running != null && !OsAccount.waitFor(running, STOPPED_WITHIN)) {
            throw new IllegalStateException("still running after " + STOPPED_WITHIN + ":\n" + log());
        }
    }

    public boolean isRunning() {
        Process running = postmaster;
        return running != null && running.isAlive();
    }

    /** Sends a signal by name to the postmaster, if it runs. */
    public void signal(String name) {
        Process running = postmaster;
        if (running != null && running.isAlive()) {
            account.run(Path.of("/bin"), "kill", "-" + name, Long.toString(running.pid()));
        }
    }

    /** Runs a program of the server's installation, as the server's user, for at most two minutes. */
    public ToolResult run(String tool, String... arguments) {
        return account.run(bin, tool, arguments);
    }

    /** A field of pg_controldata, such as {@code Database cluster state}. */
    public String controlData(String field) {
        ToolResult result = run("pg_controldata", dataDirectory().toString());
        return result.output()
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1).strip())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no field " + field + " in:\n" + result.output()));
    }

    /** A connection as the superuser {@code postgres}. */
    public Connection connect() throws SQLException {
        return connect("postgres", password, "postgres");
    }

    public Connection connect(String user, @Nullable String userPassword, String database) throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {address});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName(database);
        source.setUser(user);
        source.setPassword(userPassword);
        source.setConnectTimeout(10);
        source.setSocketTimeout(120);
        return source.getConnection();
    }

    /** Runs statements as the superuser, each in its own transaction. */
    public void execute(String... statements) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first column of the first row as text, or null. */
    public @Nullable String query(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Adds settings to postgresql.conf; the caller reloads or restarts. */
    public void configure(Map<String, String> settings) {
        StringBuilder lines = new StringBuilder();
        new TreeMap<>(settings)
                .forEach((name, value) -> lines.append(name)
                        .append(" = '")
                        .append(value.replace("'", "''"))
                        .append("'\n"));
        try {
            Files.writeString(dataDirectory().resolve("postgresql.conf"), lines, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A started streaming standby of this server, made by pg_basebackup; its owner closes it before this one. */
    public LocalPostgres standby() {
        return builder().listenAddress(address).password(password).cloneOf(this).start();
    }

    public String log() {
        try {
            return Files.exists(logFile()) ? Files.readString(logFile()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path dataDirectory() {
        return home.resolve("data");
    }

    /** A directory of the server's user beside the data directory, removed by {@link #close()}: for certificates, tablespaces, copies. */
    public Path home() {
        return home;
    }

    public Path bin() {
        return bin;
    }

    public String address() {
        return address;
    }

    public int port() {
        return port;
    }

    public @Nullable String password() {
        return password;
    }

    public OsAccount account() {
        return account;
    }

    /** The server's numeric OS user. */
    public int uid() {
        return account.uid();
    }

    public int gid() {
        return account.gid();
    }

    Path pidFile() {
        return dataDirectory().resolve("postmaster.pid");
    }

    private Path logFile() {
        return home.resolve("server.log");
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (Thread.currentThread() != closeAtExit) {
            Runtime.getRuntime().removeShutdownHook(closeAtExit);
        }
        signal(StopMode.IMMEDIATE.signal);
        if (postmaster != null && !OsAccount.waitFor(postmaster, Duration.ofSeconds(20))) {
            kill9();
        }
        OsAccount.deleteTree(home);
    }
}

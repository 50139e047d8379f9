package dev.datachecksums.operator.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The choices for a {@link LocalPostgres}: by default without checksums, on a free port of 127.0.0.1, trusting every local client. */
public final class LocalPostgresBuilder {
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final List<String> initdbArguments = new ArrayList<>();
    private final List<String> hbaLines = new ArrayList<>();
    private boolean checksums;
    private String listenAddress = "127.0.0.1";
    private int port;
    private @Nullable String password;
    private @Nullable Path bin;
    private @Nullable LocalPostgres origin;

    LocalPostgresBuilder() {}

    public LocalPostgresBuilder checksums(boolean on) {
        this.checksums = on;
        return this;
    }

    public LocalPostgresBuilder listenAddress(String address) {
        this.listenAddress = address;
        return this;
    }

    public LocalPostgresBuilder port(int fixed) {
        this.port = fixed;
        return this;
    }

    /** The superuser's password, asked for over TCP by SCRAM; null trusts. */
    public LocalPostgresBuilder password(@Nullable String secret) {
        this.password = secret;
        return this;
    }

    public LocalPostgresBuilder set(String name, String value) {
        settings.put(name, value);
        return this;
    }

    /** A line of pg_hba.conf before all others. */
    public LocalPostgresBuilder hba(String line) {
        hbaLines.add(line);
        return this;
    }

    public LocalPostgresBuilder initdb(String argument) {
        initdbArguments.add(argument);
        return this;
    }

    /** The directory of another installation's programs. */
    public LocalPostgresBuilder bin(Path directory) {
        this.bin = directory;
        return this;
    }

    LocalPostgresBuilder cloneOf(LocalPostgres primary) {
        this.origin = primary;
        this.bin = primary.bin();
        return this;
    }

    public LocalPostgres start() {
        LocalPostgres made = create();
        try {
            return made.start();
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
    }

    /** The data directory is made, the server not started. */
    public LocalPostgres create() {
        OsAccount account = OsAccount.choose();
        Path programs = bin == null ? findPrograms() : bin;
        Path home;
        try {
            home = Files.createTempDirectory("dck-pg");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        account.own(home);
        LocalPostgres made =
                new LocalPostgres(account, programs, home, listenAddress, port == 0 ? freePort() : port, password);
        try {
            if (origin == null) {
                initialise(made, home, account);
            } else {
                copy(origin, made, account);
            }
            settings.put("listen_addresses", listenAddress);
            settings.put("port", Integer.toString(made.port()));
            settings.put("unix_socket_directories", home.toString());
            settings.putIfAbsent("fsync", "off");
            settings.putIfAbsent("logging_collector", "off");
            settings.putIfAbsent("log_destination", "stderr");
            made.configure(settings);
            return made;
        } catch (RuntimeException | IOException e) {
            made.close();
            throw e instanceof IOException io ? new UncheckedIOException(io) : (RuntimeException) e;
        }
    }

    private void initialise(LocalPostgres made, Path home, OsAccount account) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("-D", made.dataDirectory().toString(), "-U", "postgres"));
        arguments.addAll(List.of("--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"));
        int major = major(account, made.bin());
        if (checksums && major < 18) {
            arguments.add("--data-checksums");
        } else if (!checksums && major >= 18) {
            arguments.add("--no-data-checksums");
        }
        Path secret = home.resolve("superuser-password");
        if (password != null) {
            Files.writeString(secret, password);
            account.own(secret);
            arguments.add("--pwfile=" + secret);
        }
        arguments.addAll(initdbArguments);
        account.run(made.bin(), "initdb", arguments.toArray(String[]::new)).orThrow();
        Files.deleteIfExists(secret);
        String method = password == null ? "trust" : "scram-sha-256";
        List<String> hba = new ArrayList<>(hbaLines);
        hba.add("local all all trust");
        hba.add("local replication all trust");
        hba.add("host all all all " + method);
        hba.add("host replication all all " + method);
        Files.write(made.dataDirectory().resolve("pg_hba.conf"), hba);
    }

    private static void copy(LocalPostgres from, LocalPostgres to, OsAccount account) {
        // By the socket, which trusts whatever the password is.
        String socket = from.home().toString();
        account.run(
                        from.bin(),
                        "pg_basebackup",
                        "--pgdata=" + to.dataDirectory(),
                        "--dbname=user=postgres application_name=standby",
                        "--host=" + socket,
                        "--port=" + from.port(),
                        "--checkpoint=fast",
                        "--no-sync",
                        "--write-recovery-conf")
                .orThrow();
    }

    private static int major(OsAccount account, Path programs) {
        String version =
                account.run(programs, "postgres", "--version").orThrow().output();
        return Integer.parseInt(version.replaceFirst("^\\D*(\\d+)[\\s\\S]*$", "$1"));
    }

    private int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(listenAddress))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path findPrograms() {
        String given = System.getenv("DATACHECKSUMS_PGBIN");
        if (given != null && !given.isBlank()) {
            return Path.of(given);
        }
        return fromPgConfig()
                .or(LocalPostgresBuilder::newestInstalled)
                .orElseThrow(() ->
                        new IllegalStateException("no PostgreSQL server programs found; set DATACHECKSUMS_PGBIN"));
    }

    private static Optional<Path> fromPgConfig() {
        for (String directory : System.getenv().getOrDefault("PATH", "/usr/bin").split(":", -1)) {
            Path path = Path.of(directory);
            if (Files.isExecutable(path.resolve("pg_config"))) {
                OsAccount self = new OsAccount(0, 0, false);
                Path found = Path.of(self.run(path, "pg_config", "--bindir")
                        .orThrow()
                        .output()
                        .strip());
                if (complete(found)) {
                    return Optional.of(found);
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Path> newestInstalled() {
        Path root = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(root)) {
            return Optional.empty();
        }
        try (Stream<Path> majors = Files.list(root)) {
            return majors.filter(p -> p.getFileName().toString().matches("\\d+"))
                    .filter(p -> complete(p.resolve("bin")))
                    .max(Comparator.comparingInt(
                            p -> Integer.parseInt(p.getFileName().toString())))
                    .map(p -> p.resolve("bin"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean complete(Path directory) {
        return Stream.of("postgres", "initdb", "pg_checksums")
                .allMatch(tool -> Files.isExecutable(directory.resolve(tool)));
    }
}

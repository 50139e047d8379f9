package dev.datachecksums.e2e.online;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.api.v1alpha1.StatusCondition;
import dev.datachecksums.e2e.testbed.EmbeddedTestbed;
import dev.datachecksums.e2e.testbed.OperatorHandle;
import dev.datachecksums.e2e.testbed.Operators;
import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.operator.postgres.LocalPostgres;
import dev.datachecksums.operator.postgres.LocalPostgresBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A server that can convert online and runs on this machine, declared as an external one, with an operator in this JVM. */
public final class Subject implements AutoCloseable {
    public static final String NAME = "orders";
    private static final Duration WITHIN = Duration.ofMinutes(10);
    private static final Duration OFTEN = Duration.ofMillis(50);

    private final Testbed testbed = EmbeddedTestbed.start();
    private final OperatorHandle operator;
    private final LocalPostgres server;

    public Subject(boolean checksums) {
        this(LocalPostgres.builder().checksums(checksums));
    }

    /** With further flags for the operator. */
    public Subject(LocalPostgresBuilder builder, String... flags) {
        this(builder.bin(bin()), false, flags);
    }

    /** With those programs instead. */
    public Subject(LocalPostgresBuilder builder, Path programs) {
        this(builder.bin(programs), false);
    }

    /** With an operator that is a process of its own and can be killed. */
    public static Subject killable(LocalPostgresBuilder builder) {
        return new Subject(builder.bin(bin()), true);
    }

    private Subject(LocalPostgresBuilder builder, boolean killable, String... more) {
        String[] flags = Stream.concat(
                        Stream.of(
                                "--converting-interval=1s",
                                "--blocked-interval=1s",
                                "--resting-interval=1s",
                                "--allow-external-hosts=*"),
                        Stream.of(more))
                .toArray(String[]::new);
        operator = killable ? Operators.killable(testbed, flags) : Operators.of(testbed, flags);
        // A standby has no slot here: what it has not got yet shall not be removed by a checkpoint.
        server = builder.set("max_wal_size", "4GB")
                .set("wal_keep_size", "3GB")
                .set("autovacuum", "off")
                .start();
        operator.start();
    }

    public static Path bin() {
        return Path.of(Objects.requireNonNull(System.getenv("DATACHECKSUMS_ONLINE_PGBIN")));
    }

    /** The major version of the programs there. */
    public static int major() {
        try {
            Process said = new ProcessBuilder(bin().resolve("postgres").toString(), "--version").start();
            String words = new String(said.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Integer.parseInt(words.replaceFirst("(?s)^\\D*(\\d+).*$", "$1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public LocalPostgres server() {
        return server;
    }

    public OperatorHandle operator() {
        return operator;
    }

    /** About so many blocks in one table of that database, none of them dirty: those would cost a throttle next to nothing. */
    public void fill(String database, String table, int blocks) {
        execute(
                database,
                "CREATE TABLE " + table + " (x text STORAGE PLAIN)",
                "INSERT INTO " + table + " SELECT repeat('x', 5000) FROM generate_series(1, " + blocks + ")",
                "CHECKPOINT");
    }

    public void execute(String database, String... statements) {
        hold(database, statements).close();
    }

    /** A session that is there until it is closed. */
    public Held hold(String database, String... statements) {
        try {
            Connection c = server.connect("postgres", null, database);
            try (Statement s = c.createStatement()) {
                for (String sql : statements) {
                    s.execute(sql);
                }
            }
            return () -> {
                try {
                    c.close();
                } catch (SQLException ended) {
                    // The server has ended it already.
                }
            };
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Something that is closed without much ado. */
    public interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /** Declares it; further fields of the spec as dotted path and value, in pairs. */
    public void declare(DesiredState state, Object... fields) {
        testbed.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("superuser")
                        .endMetadata()
                        .addToStringData("username", "postgres")
                        .addToStringData("password", "unused")
                        .build())
                .create();
        declareAs(NAME, state, fields);
    }

    /** One more resource that names the same server. */
    public void declareAs(String name, DesiredState state, Object... fields) {
        Spec spec = new Spec()
                .with("state", word(state))
                .with("connection.host", server.address())
                .with("connection.port", server.port())
                .with("connection.credentials.secretName", "superuser");
        for (int i = 0; i < fields.length; i += 2) {
            spec.with(String.valueOf(fields[i]), fields[i + 1]);
        }
        testbed.client().resource(spec.resource(testbed.namespace(), name)).create();
    }

    public static String word(DesiredState state) {
        return state == DesiredState.ENABLED ? "Enabled" : "Disabled";
    }

    private Resource<DataChecksums> handle(String name) {
        return testbed.client()
                .resources(DataChecksums.class)
                .inNamespace(testbed.namespace())
                .withName(name);
    }

    public DataChecksums get() {
        return get(NAME);
    }

    public DataChecksums get(String name) {
        return Objects.requireNonNull(handle(name).get());
    }

    /** Deletes it, and returns once it is gone. */
    public void delete() {
        handle(NAME).delete();
        until("gone", () -> handle(NAME).get() == null, gone -> gone);
    }

    public DataChecksumsStatus status() {
        DataChecksumsStatus status = get().getStatus();
        return status == null ? DataChecksumsStatus.EMPTY : status;
    }

    public void set(String path, Object value) {
        handle(NAME)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        new Spec().with(path, value).patch());
    }

    public void set(DesiredState state) {
        set("state", word(state));
    }

    public DataChecksumsStatus await(String what, Predicate<DataChecksumsStatus> condition) {
        return until(what, this::status, condition);
    }

    /** Until the server answers so. */
    public void awaitServer(String sql, String answer) {
        until(sql, () -> String.valueOf(server.query(sql)), answer::equals);
    }

    private <T> T until(String what, Supplier<T> look, Predicate<T> condition) {
        long end = System.nanoTime() + WITHIN.toNanos();
        while (true) {
            T seen = look.get();
            if (condition.test(seen)) {
                return seen;
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + WITHIN + ": " + what + "\n" + dump());
            }
            LockSupport.parkNanos(OFTEN.toNanos());
        }
    }

    /** Of this generation, at rest, as declared, by the server's word too. */
    public DataChecksumsStatus awaitConverged(DesiredState state) {
        DataChecksums d = until(
                "converged to " + state,
                this::get,
                x -> x.getSpec().state() == state && ready(x) && x.getStatus().phase() == Phase.CONVERGED);
        if (d.getSpec().state() != state || !shown().equals(state == DesiredState.ENABLED ? "on" : "off")) {
            throw new AssertionError("Ready, but the server says " + shown() + ": " + d.getStatus());
        }
        return d.getStatus();
    }

    /** Whether it is Ready for the generation that stands there. */
    public static boolean ready(DataChecksums d) {
        DataChecksumsStatus s = d.getStatus();
        return s != null
                && d.getMetadata().getGeneration().equals(s.observedGeneration())
                && condition(s, "Ready").status().equals("True");
    }

    public static StatusCondition condition(DataChecksumsStatus status, String type) {
        return Objects.requireNonNull(status.conditions()).stream()
                .filter(c -> c.type().equals(type))
                .findFirst()
                .orElseThrow();
    }

    /** What the server says of its checksums. */
    public String shown() {
        return String.valueOf(server.query("SHOW data_checksums"));
    }

    /** The messages of the events with that reason. */
    public List<String> told(String reason) {
        return events().stream()
                .filter(e -> e.getReason().equals(reason))
                .map(Event::getMessage)
                .toList();
    }

    public List<Event> events() {
        return testbed.client()
                .v1()
                .events()
                .inNamespace(testbed.namespace())
                .list()
                .getItems();
    }

    public String dump() {
        return Serialization.asYaml(get()) + "\n"
                + events().stream()
                        .map(e -> e.getReason() + ": " + e.getMessage() + "\n")
                        .toList()
                + "\n" + server.log();
    }

    @Override
    public void close() {
        operator.close();
        server.close();
        testbed.close();
    }
}

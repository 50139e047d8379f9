package dev.datachecksums.e2e.online;

import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/** A server that can convert online and runs on this machine, declared as an external one, with an operator in this JVM. */
final class Subject implements AutoCloseable {
    private static final String NAME = "orders";
    private static final Duration WITHIN = Duration.ofSeconds(180);
    private static final Duration OFTEN = Duration.ofMillis(50);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Testbed testbed = EmbeddedTestbed.start();
    private final OperatorHandle operator =
            Operators.of(testbed, "--converting-interval=1s", "--blocked-interval=1s", "--resting-interval=1s");
    private final LocalPostgres server;

    Subject(boolean checksums) {
        this(LocalPostgres.builder().checksums(checksums));
    }

    Subject(LocalPostgresBuilder builder) {
        server = builder.bin(bin())
                .set("max_wal_size", "4GB")
                .set("autovacuum", "off")
                .start();
        operator.start();
    }

    static Path bin() {
        return Path.of(Objects.requireNonNull(System.getenv("DATACHECKSUMS_ONLINE_PGBIN")));
    }

    LocalPostgres server() {
        return server;
    }

    OperatorHandle operator() {
        return operator;
    }

    /** About so many blocks in one table of that database. */
    void fill(String database, String table, int blocks) {
        execute(
                database,
                "CREATE TABLE " + table + " (x text STORAGE PLAIN)",
                "INSERT INTO " + table + " SELECT repeat('x', 5000) FROM generate_series(1, " + blocks + ")");
    }

    void execute(String database, String... statements) {
        hold(database, statements).close();
    }

    /** A session that is there until it is closed. */
    Held hold(String database, String... statements) {
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
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /** Declares it; further fields of the spec as dotted path and value, in pairs. */
    void declare(DesiredState state, Object... fields) {
        testbed.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("superuser")
                        .endMetadata()
                        .addToStringData("username", "postgres")
                        .addToStringData("password", "unused")
                        .build())
                .create();
        Map<String, Object> spec = new HashMap<>();
        put(spec, "state", word(state));
        put(spec, "connection.host", server.address());
        put(spec, "connection.port", server.port());
        put(spec, "connection.credentials.secretName", "superuser");
        for (int i = 0; i < fields.length; i += 2) {
            put(spec, String.valueOf(fields[i]), fields[i + 1]);
        }
        Map<String, Object> object = Map.of(
                "apiVersion",
                "datachecksums.dev/v1alpha1",
                "kind",
                "DataChecksums",
                "metadata",
                Map.of("name", NAME, "namespace", testbed.namespace()),
                "spec",
                spec);
        testbed.client()
                .resource(Serialization.unmarshal(Serialization.asJson(object), DataChecksums.class))
                .create();
    }

    static String word(DesiredState state) {
        return state == DesiredState.ENABLED ? "Enabled" : "Disabled";
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> object, String path, Object value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            object.put(path, value);
        } else {
            Object inner = object.computeIfAbsent(path.substring(0, dot), k -> new HashMap<>());
            put((Map<String, Object>) inner, path.substring(dot + 1), value);
        }
    }

    private Resource<DataChecksums> handle() {
        return testbed.client()
                .resources(DataChecksums.class)
                .inNamespace(testbed.namespace())
                .withName(NAME);
    }

    DataChecksums get() {
        return Objects.requireNonNull(handle().get());
    }

    DataChecksumsStatus status() {
        DataChecksumsStatus status = get().getStatus();
        return status == null ? DataChecksumsStatus.EMPTY : status;
    }

    void set(String path, Object value) {
        Map<String, Object> patch = new HashMap<>();
        put(patch, "spec." + path, value);
        handle().patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        JSON.valueToTree(patch).toString());
    }

    void set(DesiredState state) {
        set("state", word(state));
    }

    DataChecksumsStatus await(String what, Predicate<DataChecksumsStatus> condition) {
        return org.awaitility.Awaitility.await(what)
                .atMost(WITHIN)
                .pollInterval(OFTEN)
                .conditionEvaluationListener(c -> {})
                .until(this::status, condition);
    }

    /** Of this generation, at rest, as declared, by the server's word too. */
    DataChecksumsStatus awaitConverged(DesiredState state) {
        DataChecksums d = org.awaitility.Awaitility.await("converged to " + state)
                .atMost(WITHIN)
                .pollInterval(OFTEN)
                .until(this::get, x -> ready(x) && x.getStatus().phase() == Phase.CONVERGED);
        if (d.getSpec().state() != state || !shown().equals(state == DesiredState.ENABLED ? "on" : "off")) {
            throw new AssertionError("Ready, but the server says " + shown() + ": " + d.getStatus());
        }
        return d.getStatus();
    }

    /** Whether it is Ready for the generation that stands there. */
    static boolean ready(DataChecksums d) {
        DataChecksumsStatus s = d.getStatus();
        return s != null
                && d.getMetadata().getGeneration().equals(s.observedGeneration())
                && condition(s, "Ready").status().equals("True");
    }

    static StatusCondition condition(DataChecksumsStatus status, String type) {
        return Objects.requireNonNull(status.conditions()).stream()
                .filter(c -> c.type().equals(type))
                .findFirst()
                .orElseThrow();
    }

    /** What the server says of its checksums. */
    String shown() {
        return String.valueOf(server.query("SHOW data_checksums"));
    }

    List<Event> events() {
        return testbed.client()
                .v1()
                .events()
                .inNamespace(testbed.namespace())
                .list()
                .getItems();
    }

    String dump() {
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

package dev.datachecksums.e2e.testbed;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.postgresql.ds.PGSimpleDataSource;

/** A server that a testbed made: where it is, what it and its files say. Reached at its pod's address. */
public final class PostgresInstance {
    private static final Duration WITHIN = Duration.ofMinutes(4);

    private final KubernetesClient client;
    private final String namespace;
    private final PostgresSpec spec;
    private final PostgresObjects objects;
    private final ServerPods pods;

    PostgresInstance(
            KubernetesClient client, String namespace, PostgresSpec spec, PostgresObjects objects, ServerPods pods) {
        this.client = client;
        this.namespace = namespace;
        this.spec = spec;
        this.objects = objects;
        this.pods = pods;
    }

    /** Another pod of the same StatefulSet, with a volume of its own. */
    public PostgresInstance node(int n) {
        return new PostgresInstance(
                client, namespace, spec, objects, ServerPods.ofStatefulSet(client, namespace, spec.name(), n));
    }

    /** The name of StatefulSet (or Deployment) and Service. */
    public String name() {
        return spec.name();
    }

    public String podName() {
        return pods.podName();
    }

    public String claimName() {
        return pods.claimName();
    }

    public String secretName() {
        return spec.name() + "-superuser";
    }

    public String container() {
        return PostgresObjects.CONTAINER;
    }

    public String user() {
        return "postgres";
    }

    public String password() {
        return spec.password();
    }

    /** As the pod has it. */
    public String dataDirectory() {
        return objects.dataDirectory();
    }

    /** Where the data directory is in the claim's volume, below {@link Testbed#volume}. */
    public String pathInVolume() {
        return objects.pathInVolume();
    }

    /** The pod as it is now; empty between two incarnations. Of two pods of a Deployment the one that is to stay. */
    public Optional<Pod> pod() {
        return pods.pod();
    }

    /** Waits until the pod is Ready and SQL is answered, for at most four minutes. */
    public PostgresInstance awaitReady() {
        await(
                "Ready",
                () -> pod().filter(p -> !p.isMarkedForDeletion())
                        .filter(Readiness::isPodReady)
                        .filter(p -> answers(p.getStatus().getPodIP())));
        return this;
    }

    /** Waits until the pod's object is gone. */
    public void awaitGone() {
        await("gone", () -> pods.gone() ? Optional.of("gone") : Optional.empty());
    }

    private boolean answers(String address) {
        try (Connection connection = source(address, Duration.ofSeconds(2)).getConnection()) {
            return connection.isValid(2);
        } catch (SQLException e) {
            return false;
        }
    }

    /**
     * A new connection to the pod that is there now.
     *
     * @throws SQLException also if there is no pod, or it has no address
     */
    public Connection connect() throws SQLException {
        return connect(Duration.ofSeconds(60));
    }

    /**
     * A new connection.
     *
     * @param timeout of connecting, and of each answer
     */
    public Connection connect(Duration timeout) throws SQLException {
        return source(address(), timeout).getConnection();
    }

    /** The address of the pod that is there now. */
    public String address() throws SQLException {
        return pod().map(p -> p.getStatus().getPodIP())
                .orElseThrow(() -> new SQLException(podName() + " has no address now", "08001"));
    }

    private PGSimpleDataSource source(String address, Duration timeout) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {address});
        source.setPortNumbers(new int[] {5432});
        source.setDatabaseName("postgres");
        source.setUser(user());
        source.setPassword(spec.password());
        int seconds = (int) Math.max(1, timeout.toSeconds());
        source.setConnectTimeout(seconds);
        source.setSocketTimeout(seconds);
        source.setLoginTimeout(seconds);
        return source;
    }

    /** Runs statements, each in its own transaction. */
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

    /** The first column of the first row as text; empty for none. */
    public String query(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            String value = rows.next() ? rows.getString(1) : "";
            return value == null ? "" : value;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the server says: {@code on} or {@code off}. */
    public String dataChecksums() {
        return query("show data_checksums");
    }

    /** Sets the replica count and waits for the pod to be gone, or ready. */
    public void scale(int replicas) {
        pods.scale(replicas);
        if (replicas == 0) {
            awaitGone();
        } else {
            awaitReady();
        }
    }

    /**
     * What the files of the stopped server say. Scales to zero, reads and scales back.
     *
     * @throws IllegalStateException if the data is not on a claim: nothing would be left of it
     */
    public VolumeReport inspectStopped() {
        scale(0);
        try {
            return inspect();
        } finally {
            scale(1);
        }
    }

    /** What the files say now; meaningful while no server runs. */
    public VolumeReport inspect() {
        return VolumeReport.parse(
                runTool(
                        "pg_controldata -D \"$PGDATA\"; echo ---; pg_checksums --check -D \"$PGDATA\" 2>&1;"
                                + " echo \"--- $?\"; grep -c data_checksums_conversion \"$PGDATA/postgresql.auto.conf\"; ls -a \"$PGDATA\""));
    }

    /**
     * Runs a shell script in a pod of its own that mounts the claim, with the server's image and user.
     *
     * @return what it wrote
     */
    public String runTool(String script) {
        if (spec.storage() != PostgresSpec.Storage.CLAIM) {
            throw new IllegalStateException("the data of " + name() + " is on no claim");
        }
        String toolName = spec.name() + "-tool-" + Long.toString(System.nanoTime(), 36);
        var tools = client.pods().inNamespace(namespace);
        tools.resource(objects.tool(toolName, script, claimName())).create();
        try {
            await(
                    "ended: " + toolName,
                    () -> Optional.ofNullable(tools.withName(toolName).get())
                            .filter(p -> List.of("Succeeded", "Failed")
                                    .contains(p.getStatus().getPhase())));
            return tools.withName(toolName).getLog();
        } finally {
            tools.withName(toolName).withGracePeriod(0).delete();
        }
    }

    /** How often the server's container was started again in the pod that is there now. */
    public int restarts() {
        return pod().stream()
                .flatMap(p -> p.getStatus().getContainerStatuses().stream())
                .mapToInt(ContainerStatus::getRestartCount)
                .sum();
    }

    private <T> T await(String what, Supplier<Optional<T>> look) {
        long end = System.nanoTime() + WITHIN.toNanos();
        while (System.nanoTime() < end) {
            Optional<T> found = look.get();
            if (found.isPresent()) {
                return found.get();
            }
            Pause.of(Duration.ofMillis(50));
        }
        throw new IllegalStateException("%s is not %s after %s".formatted(podName(), what, WITHIN));
    }
}

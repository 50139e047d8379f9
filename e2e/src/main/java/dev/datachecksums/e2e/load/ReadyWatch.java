package dev.datachecksums.e2e.load;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks all along whether Ready is True while the server says otherwise. The report is read before and after the server: only what stood
 * there all the while is held against it.
 */
public final class ReadyWatch implements AutoCloseable {
    /** Without a pause, four of these left no processor to the servers. A wrong report stands for longer. */
    private static final Duration PACE = Duration.ofMillis(40);

    private final Resource<DataChecksums> declaration;
    private final ConnectionSource server;
    private final List<String> lies = new CopyOnWriteArrayList<>();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger ready = new AtomicInteger();
    private final Thread thread = new Thread(this::look, "ready-watch");
    private volatile boolean running = true;
    private @Nullable Connection connection;

    /** Looks from now on. */
    public static ReadyWatch start(Resource<DataChecksums> declaration, ConnectionSource server) {
        ReadyWatch watch = new ReadyWatch(declaration, server);
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    private ReadyWatch(Resource<DataChecksums> declaration, ConnectionSource server) {
        this.declaration = declaration;
        this.server = server;
    }

    private void look() {
        while (running) {
            DataChecksums before = declaration.get();
            String says = ask();
            DataChecksums after = declaration.get();
            if (!says.isEmpty() && before != null && after != null) {
                looks.incrementAndGet();
                DesiredState declared = before.getSpec().state();
                if (claims(before)
                        && claims(after)
                        && declared == after.getSpec().state()) {
                    ready.incrementAndGet();
                    if (!says.equals(declared == DesiredState.ENABLED ? "on" : "off")) {
                        lies.add("Ready for " + declared + ", the server says " + says + ": " + before.getStatus());
                    }
                }
            }
            LockSupport.parkNanos(PACE.toNanos());
        }
        disconnect();
    }

    /** Ready, of the generation that stands there. */
    public static boolean claims(@Nullable DataChecksums d) {
        if (d == null || d.getStatus() == null) {
            return false;
        }
        DataChecksumsStatus status = d.getStatus();
        return d.getMetadata().getGeneration().equals(status.observedGeneration())
                && status.conditions() != null
                && status.conditions().stream()
                        .anyMatch(c -> c.type().equals("Ready") && c.status().equals("True"));
    }

    /** Empty where it does not answer. One connection as long as it lasts: the watch should cost the server little. */
    private String ask() {
        try {
            Connection open = connection;
            if (open == null) {
                open = server.connect(Duration.ofSeconds(1));
                connection = open;
            }
            try (Statement statement = open.createStatement();
                    ResultSet row = statement.executeQuery("show data_checksums")) {
                return row.next() ? row.getString(1) : "";
            }
        } catch (SQLException e) {
            disconnect();
            return "";
        }
    }

    private void disconnect() {
        Connection broken = connection;
        connection = null;
        if (broken != null) {
            try {
                broken.close();
            } catch (SQLException e) {
                // It is closed as far as it can be.
                return;
            }
        }
    }

    /** How often there was a report, and the server answered. */
    public int looks() {
        return looks.get();
    }

    /** In how many of these Ready was True. */
    public int ready() {
        return ready.get();
    }

    /** The wrong reports since the last call. */
    public List<String> takeLies() {
        List<String> all = List.copyOf(lies);
        lies.removeAll(all);
        return all;
    }

    @Override
    public void close() throws InterruptedException {
        running = false;
        thread.join(Duration.ofSeconds(10).toMillis());
    }
}

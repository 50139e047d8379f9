package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks all along whether Ready is True while the server says otherwise. The report is read before and after the server: only what stood
 * there all the while is held against it.
 */
final class ReadySampler implements AutoCloseable {
    /** Each look is a new connection: without a pause, four of these left no processor to the servers. A wrong report stands for longer. */
    private static final Duration PACE = Duration.ofMillis(40);

    private final Database database;
    private final Declaration declaration;
    private final AtomicBoolean running = new AtomicBoolean(true);
    private final AtomicInteger samples = new AtomicInteger();
    private final AtomicInteger ready = new AtomicInteger();
    private final List<String> lies = Collections.synchronizedList(new ArrayList<>());
    private final Thread thread = new Thread(this::sample, "ready-sampler");

    static ReadySampler start(Database database, Declaration declaration) {
        ReadySampler sampler = new ReadySampler(database, declaration);
        sampler.thread.setDaemon(true);
        sampler.thread.start();
        return sampler;
    }

    private ReadySampler(Database database, Declaration declaration) {
        this.database = database;
        this.declaration = declaration;
    }

    private void sample() {
        while (running.get()) {
            DataChecksums before = declaration.get();
            String says = ask();
            DataChecksums after = declaration.get();
            if (!says.isEmpty()) {
                samples.incrementAndGet();
                if (claims(before)
                        && claims(after)
                        && before.getSpec().state() == after.getSpec().state()) {
                    ready.incrementAndGet();
                    String declared = before.getSpec().state() == DesiredState.ENABLED ? "on" : "off";
                    if (!says.equals(declared)) {
                        lies.add("Ready for " + declared + ", the server says " + says + ": " + before.getStatus());
                    }
                }
            }
            LockSupport.parkNanos(PACE.toNanos());
        }
    }

    /** Ready, of the generation that stands there. */
    private static boolean claims(DataChecksums d) {
        DataChecksumsStatus status = d.getStatus();
        return status != null
                && d.getMetadata().getGeneration().equals(status.observedGeneration())
                && Declaration.condition(status, "Ready").status().equals("True");
    }

    /** Empty where it does not answer. */
    private String ask() {
        try (var connection = database.server().connect(Duration.ofSeconds(1));
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("show data_checksums")) {
            return row.next() ? row.getString(1) : "";
        } catch (SQLException e) {
            return "";
        }
    }

    void assertHonest() {
        assertThat(lies).isEmpty();
        assertThat(samples.get()).isGreaterThan(ready.get());
        assertThat(ready.get()).isPositive();
    }

    @Override
    public void close() throws InterruptedException {
        running.set(false);
        thread.join(Duration.ofSeconds(10).toMillis());
    }
}

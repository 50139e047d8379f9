package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.datachecksums.e2e.load.Filler;
import dev.datachecksums.e2e.testbed.PostgresInstance;
import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.e2e.testbed.VolumeReport;
import dev.datachecksums.operator.instance.InstanceDriver;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.postgres.Interlock;
import dev.datachecksums.operator.postgres.ServerFacts;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A server of a scenario, with its files. */
final class Database {
    private static final Duration WITHIN = Duration.ofMinutes(4);

    /**
     * What a refusal must not change.
     *
     * @param started the postmaster's start time
     * @param autoConf the bytes of postgresql.auto.conf
     */
    record Standing(String podUid, String started, String autoConf, String checksums, int restarts) {}

    private final Testbed testbed;
    private final PostgresInstance server;
    private @Nullable Declaration declared;
    private @Nullable Process lock;

    Database(Testbed testbed, PostgresInstance server) {
        this.testbed = testbed;
        this.server = server;
    }

    PostgresInstance server() {
        return server;
    }

    /** Declares checksums for it, Enabled unless a field says otherwise; see {@link Declaration}. */
    Declaration declare(Object... fields) {
        Declaration made = declareAs(server.name(), fields);
        declared = made;
        return made;
    }

    /** The one that was declared. */
    Declaration declared() {
        return Objects.requireNonNull(declared);
    }

    Declaration declareAs(String name, Object... fields) {
        return Declaration.create(testbed, name, server, fields);
    }

    /** Adds a table of about so many megabytes. */
    Database filled(int megabytes) throws SQLException {
        Filler.fill(server::connect, megabytes);
        return this;
    }

    Standing standing() {
        return new Standing(
                pod().getMetadata().getUid(),
                server.query("select pg_postmaster_start_time()"),
                server.query("select pg_read_file('postgresql.auto.conf')"),
                server.dataChecksums(),
                server.restarts());
    }

    Pod pod() {
        return server.pod().orElseThrow(() -> new IllegalStateException("there is no pod " + server.podName()));
    }

    boolean held() {
        return server.pod()
                .filter(p -> p.getMetadata().getFinalizers().contains(InstanceDriver.HOLD))
                .isPresent();
    }

    Path files() {
        return volume().resolve(server.pathInVolume());
    }

    private Path volume() {
        return testbed.volume(server);
    }

    /** Makes a file in the volume's root, for {@link Tools}. */
    Database flag(String name) {
        try {
            Files.writeString(volume().resolve(name), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    void unflag(String name) {
        try {
            Files.deleteIfExists(volume().resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean flagged(String name) {
        return Files.exists(volume().resolve(name));
    }

    void awaitFlag(String name) {
        await(name).atMost(WITHIN).pollInterval(Duration.ofMillis(10)).until(() -> flagged(name));
    }

    /** Takes the lock by which one agent at a time works on the data directory. */
    void lock() {
        try {
            Process process =
                    new ProcessBuilder("flock", files().resolve("PG_VERSION").toString(), "cat").start();
            // The cat answers once it has the lock.
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            assertThat(process.getInputStream().read()).isEqualTo('\n');
            lock = process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void unlock() {
        Process process = lock;
        if (process != null) {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
    }

    boolean interlocked() {
        try {
            // A server may be writing it: bytes, not text.
            return new String(Files.readAllBytes(files().resolve("postgresql.auto.conf")), StandardCharsets.ISO_8859_1)
                    .lines()
                    .anyMatch(line -> line.strip().startsWith(Interlock.PARAMETER));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** No interlock, hold, Job or pod of ours, and no finalizer on the declarations. */
    void assertNothingLeft() {
        KubernetesClient client = testbed.client();
        await("no Job of ours").atMost(WITHIN).untilAsserted(() -> {
            assertThat(client.batch()
                            .v1()
                            .jobs()
                            .inNamespace(testbed.namespace())
                            .list()
                            .getItems())
                    .filteredOn(this::ours)
                    .isEmpty();
            assertThat(client.pods()
                            .inNamespace(testbed.namespace())
                            .withLabel(JobNames.RESOURCE_UID)
                            .list()
                            .getItems())
                    .filteredOn(this::ours)
                    .isEmpty();
        });
        await("no finalizer").atMost(WITHIN).untilAsserted(() -> {
            assertThat(held()).as("held").isFalse();
            assertThat(Declaration.finalizers(testbed, server)).isEmpty();
        });
        assertThat(interlocked()).as("interlock's line").isFalse();
        assertThat(List.of(files().toFile().list()))
                .contains("pg_wal", "PG_VERSION")
                .doesNotContain("pg_wal.dck", "postgresql.auto.conf.dck", "dck.copy");
        assertThat(copy()).as("the copy").doesNotExist();
        assertThat(server.query("select count(*) from pg_replication_slots where slot_name = '"
                        + ServerFacts.STANDBY_SLOT + "'"))
                .as("slots of ours")
                .isEqualTo("0");
    }

    /** Where a copy of the data directory is made, and where the old one is once that has taken its place. */
    Path copy() {
        return files().resolveSibling(files().getFileName() + ".dck");
    }

    private boolean ours(io.fabric8.kubernetes.api.model.HasMetadata object) {
        return server.name()
                .equals(
                        object.getMetadata().getLabels() == null
                                ? null
                                : object.getMetadata().getLabels().get(JobNames.RESOURCE_NAME));
    }

    /** Server, control file and every page say so, after a clean stop; and it serves again. */
    void assertWhole(String checksums) {
        server.awaitReady();
        assertThat(server.dataChecksums()).isEqualTo(checksums);
        VolumeReport report = server.inspectStopped();
        assertThat(report.control("Database cluster state")).isEqualTo("shut down");
        assertThat(report.checksumVersion()).isEqualTo(checksums.equals("on") ? 1 : 0);
        assertThat(report.interlocked()).isFalse();
        if (checksums.equals("on")) {
            assertThat(report.checkExit()).as(report.check()).isZero();
            assertThat(report.badChecksums()).isZero();
        }
        assertThat(server.dataChecksums()).isEqualTo(checksums);
    }
}

package dev.datachecksums.e2e.online;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.OnlineRunStatus;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.postgres.LocalPostgres;
import io.fabric8.kubernetes.api.model.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How hard a run may go, and where it has to end for others' sake. */
@Timeout(600)
class ThrottleRealOnline {

    /** Case 20. */
    @Test
    void aReplicaThatFallsBehindTightensTheThrottleAndOneThatCaughtUpRelaxesIt() {
        try (Subject subject = new Subject(false);
                LocalPostgres standby = subject.server().standby()) {
            for (int i = 0; i < 40; i++) {
                subject.fill("postgres", "filler" + i, 1000);
            }
            subject.awaitServer(
                    "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()", "1");
            standby.execute("SELECT pg_wal_replay_pause()");
            subject.declare(
                    DesiredState.ENABLED,
                    "policy.online.costDelay",
                    "5ms",
                    "policy.online.costLimit",
                    100,
                    "policy.online.maxReplicaLag",
                    "4Mi");
            DataChecksumsStatus tight = subject.await(
                    "tightened",
                    s -> run(s) != null && Objects.requireNonNull(run(s)).throttleReason() != null);
            OnlineRunStatus run = Objects.requireNonNull(run(tight));
            assertThat(run.throttleReason()).contains("behind").contains("maxReplicaLag");
            assertThat(run.costLimit()).isBetween(21, 150);
            assertThat(run.costDelay()).isEqualTo("10ms");
            assertThat(run.askedCostDelay()).isEqualTo("5ms");
            assertThat(subject.told("ThrottleTightened")).hasSize(1);
            standby.execute("SELECT pg_wal_replay_resume()");
            subject.await("relaxed", s -> !subject.told("ThrottleRelaxed").isEmpty());
            Event tightened = event(subject, "ThrottleTightened");
            Event relaxed = event(subject, "ThrottleRelaxed");
            assertThat(Duration.between(
                            Instant.parse(tightened.getFirstTimestamp()), Instant.parse(relaxed.getFirstTimestamp())))
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(59));
            subject.awaitConverged(DesiredState.ENABLED);
            assertThat(standby.query("SHOW data_checksums")).isEqualTo("on");
        }
    }

    private static @org.jspecify.annotations.Nullable OnlineRunStatus run(DataChecksumsStatus s) {
        return s.conversion() == null ? null : s.conversion().online();
    }

    private static Event event(Subject subject, String reason) {
        return subject.events().stream()
                .filter(e -> e.getReason().equals(reason))
                .findFirst()
                .orElseThrow();
    }

    /** Case 21; the volume's size is scripted, by a {@code df} that the server finds before the machine's. */
    @Test
    void aVolumeThatFillsEndsTheRunAndKeepsItFromBeginning(@TempDir Path home) throws IOException {
        Path little = home.resolve("little");
        Path bin = programs(home, little);
        try (Subject subject = new Subject(LocalPostgres.builder().checksums(false), bin)) {
            subject.fill("postgres", "large", 20_000);
            Files.createFile(little);
            subject.declare(DesiredState.ENABLED, "policy.online.costDelay", "5ms", "policy.online.costLimit", 100);
            subject.await(
                    "kept from beginning",
                    s -> s.phase() == Phase.BLOCKED
                            && Objects.requireNonNull(s.blockers())
                                    .get(0)
                                    .check()
                                    .equals("WalHeadroom"));
            assertThat(subject.shown()).isEqualTo("off");
            Files.delete(little);
            subject.await(
                    "at the large table",
                    s -> s.progress() != null
                            && "public.large".equals(s.progress().currentRelation()));
            Files.createFile(little);
            DataChecksumsStatus ended = subject.await(
                    "ended",
                    s -> s.attempts() != null
                            && Integer.valueOf(1).equals(s.attempts().count()));
            assertThat(Objects.requireNonNull(ended.attempts()).lastReason()).isEqualTo("WalSpaceLow");
            assertThat(subject.shown()).isEqualTo("off");
            Files.delete(little);
            subject.set("policy.online.costDelay", "0ms");
            subject.awaitConverged(DesiredState.ENABLED);
        }
    }

    private static Path programs(Path home, Path little) throws IOException {
        Path bin = Files.createDirectory(home.resolve("bin"));
        Path first = Files.createDirectory(home.resolve("first"));
        List<Path> programs;
        try (Stream<Path> all = Files.list(Subject.bin())) {
            programs = all.toList();
        }
        for (Path p : programs) {
            script(bin.resolve(p.getFileName()), "exec " + p + " \"$@\"");
        }
        script(
                bin.resolve("postgres"),
                "export PATH=" + first + ":$PATH",
                "exec " + Subject.bin().resolve("postgres") + " \"$@\"");
        script(
                first.resolve("df"),
                "[ -e " + little + " ] || exec /bin/df \"$@\"",
                "echo 'Filesystem 1024-blocks Used Available Capacity Mounted on'",
                "echo '/dev/scripted 1048576 1038576 10000 99% /data'");
        for (Path p : List.of(home, bin, first)) {
            Files.setPosixFilePermissions(p, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return bin;
    }

    private static void script(Path file, String... lines) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** The plan rests on it: at a limit of one a page has the longest pause that there is, not twenty-one. */
    @Test
    void aThrottleLetsThroughWhatThePlanSays() {
        try (Subject subject = new Subject(false)) {
            subject.fill("postgres", "large", 400);
            subject.declare(DesiredState.ENABLED, "policy.online.costDelay", "5ms", "policy.online.costLimit", 1);
            DataChecksumsStatus beginning = subject.await("planned", s -> s.plan() != null && run(s) != null);
            Instant began = Instant.now();
            subject.awaitConverged(DesiredState.ENABLED);
            Duration took = Duration.between(began, Instant.now());
            Duration planned = Durations.parse(Objects.requireNonNull(
                    Objects.requireNonNull(beginning.plan()).estimatedDuration()));
            System.out.println("planned " + planned + ", took " + took);
            // The server's pauses are a floor, however slow the machine is.
            assertThat(took).isGreaterThan(planned.multipliedBy(3).dividedBy(4));
        }
    }
}

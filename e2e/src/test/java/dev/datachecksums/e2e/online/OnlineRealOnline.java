package dev.datachecksums.e2e.online;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.api.v1alpha1.ProgressStatus;
import dev.datachecksums.e2e.testbed.EmbeddedTestbed;
import dev.datachecksums.e2e.testbed.OperatorHandle;
import dev.datachecksums.e2e.testbed.Operators;
import dev.datachecksums.e2e.testbed.PostgresInstance;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.operator.postgres.LocalPostgres;
import dev.datachecksums.operator.postgres.ToolResult;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a user sees of an online conversion. */
@Timeout(600)
class OnlineRealOnline {
    /** About 8 MB a second. */
    private static final Object[] SLOWLY = {"policy.online.costDelay", "5ms", "policy.online.costLimit", 100};

    private static final Predicate<DataChecksumsStatus> UNDER_WAY = s -> s.phase() == Phase.CONVERTING
            && s.progress() != null
            && s.progress().percent() != null
            && s.progress().percent() > 0;

    @Test
    void convertsBothWaysWithoutARestart() {
        try (Subject subject = new Subject(false)) {
            subject.fill("postgres", "filler", 4000);
            String started = subject.server().query("SELECT pg_postmaster_start_time()");
            subject.declare(DesiredState.ENABLED);
            DataChecksumsStatus on = subject.awaitConverged(DesiredState.ENABLED);
            LastConversion last = Objects.requireNonNull(on.lastConversion());
            assertThat(last.method()).isEqualTo(ConversionMethod.ONLINE);
            assertThat(last.outage()).isEqualTo("0ms");
            assertThat(on.method()).isEqualTo(ConversionMethod.ONLINE);

            subject.set(DesiredState.DISABLED);
            subject.awaitConverged(DesiredState.DISABLED);
            subject.set(DesiredState.ENABLED);
            subject.awaitConverged(DesiredState.ENABLED);
            assertThat(subject.server().query("SELECT pg_postmaster_start_time()"))
                    .isEqualTo(started);

            LocalPostgres server = subject.server();
            server.stop(LocalPostgres.StopMode.FAST);
            ToolResult check =
                    server.run("pg_checksums", "--check", server.dataDirectory().toString());
            assertThat(check.output()).contains("Bad checksums:  0");
        }
    }

    @Test
    void progressIsThatOfTheWholeClusterAndNeverGoesBack() {
        try (Subject subject = new Subject(false)) {
            for (int i = 0; i < 3; i++) {
                subject.server().execute("CREATE DATABASE db" + i);
                subject.fill("db" + i, "small", 200);
                subject.fill("db" + i, "large", 3000 * (i + 1));
            }
            record Sample(int percent, long lsn) {}
            List<Sample> samples = new ArrayList<>();
            String position = "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint";
            long begin = Long.parseLong(Objects.requireNonNull(subject.server().query(position)));
            subject.declare(DesiredState.ENABLED, "policy.online.costDelay", "5ms", "policy.online.costLimit", 50);
            long end = begin;
            while (!subject.shown().equals("on")) {
                ProgressStatus p = subject.status().progress();
                end = Long.parseLong(Objects.requireNonNull(subject.server().query(position)));
                if (p != null && p.percent() != null) {
                    samples.add(new Sample(p.percent(), end));
                }
            }
            subject.awaitConverged(DesiredState.ENABLED);
            assertThat(samples).hasSizeGreaterThan(20);
            int worst = 0;
            int before = 0;
            for (Sample s : samples) {
                int truth = (int) ((s.lsn() - begin) * 100 / (end - begin));
                worst = Math.max(worst, Math.abs(truth - s.percent()));
                assertThat(s.percent()).isBetween(before, 99);
                before = s.percent();
            }
            System.out.println(
                    "progress: " + samples.size() + " samples, at worst " + worst + " points from the truth");
            assertThat(worst).as(String.valueOf(samples)).isLessThanOrEqualTo(5);
        }
    }

    /** Case 7. */
    @Test
    void anOldTransactionIsNamedAndEndedAfterItsGraceAndAReaderIsNot() {
        try (Subject subject = new Subject(false);
                Subject.Held writer = subject.hold("postgres", "BEGIN", "SELECT pg_current_xact_id()");
                Subject.Held reader = subject.hold(
                        "postgres", "SET application_name = 'reader'", "BEGIN", "SELECT count(*) FROM pg_class")) {
            subject.declare(
                    DesiredState.ENABLED,
                    "policy.online.blockers",
                    "Terminate",
                    "policy.online.blockersGrace",
                    "8s",
                    "policy.stalledAfter",
                    "10s");
            DataChecksumsStatus waiting = subject.await(
                    "waits for the transaction",
                    s -> s.progress() != null
                            && String.valueOf(s.progress().waitingOn()).contains("idle in transaction"));
            assertThat(Objects.requireNonNull(waiting.blockers()).get(0).check())
                    .isEqualTo("OldTransaction");
            subject.awaitConverged(DesiredState.ENABLED);
            assertThat(subject.events())
                    .filteredOn(e -> e.getReason().equals("SessionTerminated"))
                    .hasSize(1);
            assertThat(subject.server()
                            .query("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'reader'"))
                    .isEqualTo("1");
        }
    }

    @Test
    void aStallIsReportedAndNothingIsEndedUnlessAskedFor() {
        try (Subject subject = new Subject(false)) {
            try (Subject.Held tables = subject.hold("postgres", "CREATE TEMPORARY TABLE scratch AS SELECT 1 AS x")) {
                subject.declare(DesiredState.ENABLED, "policy.stalledAfter", "10s");
                DataChecksumsStatus stalled = subject.await(
                        "stalled",
                        s -> s.conditions() != null
                                && Subject.condition(s, "Stalled").status().equals("True"));
                assertThat(Subject.condition(stalled, "Stalled").reason()).isEqualTo("TemporaryTables");
                assertThat(stalled.phase()).isEqualTo(Phase.CONVERTING);
                assertThat(subject.shown()).isEqualTo("inprogress-on");
            }
            subject.awaitConverged(DesiredState.ENABLED);
        }
    }

    @Test
    void aFlipDuringTheRunAbortsIt() {
        try (Subject subject = new Subject(false)) {
            subject.fill("postgres", "filler", 20_000);
            subject.declare(DesiredState.ENABLED, SLOWLY);
            subject.await("under way", UNDER_WAY);
            subject.set(DesiredState.DISABLED);
            DataChecksumsStatus off = subject.awaitConverged(DesiredState.DISABLED);
            assertThat(off.conversion()).isNull();
        }
    }

    @Test
    void suspendAbortsTheRunAndResumingStartsItAnew() {
        try (Subject subject = new Subject(false)) {
            subject.fill("postgres", "filler", 10_000);
            subject.declare(DesiredState.ENABLED, SLOWLY);
            subject.await("under way", UNDER_WAY);
            subject.set("suspend", true);
            subject.await("suspended", s -> s.phase() == Phase.SUSPENDED && s.conversion() == null);
            assertThat(subject.shown()).isEqualTo("off");
            subject.set("suspend", false);
            DataChecksumsStatus on = subject.awaitConverged(DesiredState.ENABLED);
            assertThat(Objects.requireNonNull(on.lastConversion()).attempts()).isEqualTo(1);
        }
    }

    /** Case 11. */
    @Test
    void aRestartDuringTheRunIsCountedAndItIsTriedAgain() {
        try (Subject subject = new Subject(false)) {
            subject.fill("postgres", "filler", 10_000);
            subject.declare(DesiredState.ENABLED, SLOWLY);
            subject.await("under way", UNDER_WAY);
            subject.server().restart();
            DataChecksumsStatus counted = subject.await(
                    "counted",
                    s -> s.attempts() != null
                            && Integer.valueOf(1).equals(s.attempts().count()));
            assertThat(Objects.requireNonNull(counted.attempts()).lastReason()).isEqualTo("ServerRestarted");
            DataChecksumsStatus on = subject.awaitConverged(DesiredState.ENABLED);
            assertThat(Objects.requireNonNull(on.lastConversion()).attempts()).isEqualTo(2);
        }
    }

    /** A workload of the cluster goes the same road, and its pod is left alone. */
    @Test
    void aStatefulSetIsConvertedWithoutTouchingItsPod() throws Exception {
        try (Testbed testbed = EmbeddedTestbed.start();
                OperatorHandle operator = Operators.of(testbed)) {
            operator.start();
            PostgresInstance server =
                    testbed.createReady(PostgresSpec.named("orders-db").withMajor(Subject.major()));
            String uid = server.pod().orElseThrow().getMetadata().getUid();
            testbed.client()
                    .resource(Serialization.unmarshal("""
                            apiVersion: datachecksums.dev/v1alpha1
                            kind: DataChecksums
                            metadata: {name: orders}
                            spec:
                              instanceRef: {name: orders-db}
                              connection: {credentials: {secretName: orders-db-superuser}}
                            """, DataChecksums.class))
                    .inNamespace(testbed.namespace())
                    .create();
            org.awaitility.Awaitility.await()
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> Subject.ready(Objects.requireNonNull(testbed.client()
                            .resources(DataChecksums.class)
                            .inNamespace(testbed.namespace())
                            .withName("orders")
                            .get())));
            assertThat(server.dataChecksums()).isEqualTo("on");
            assertThat(server.pod().orElseThrow().getMetadata().getUid()).isEqualTo(uid);
        }
    }

    /** Case 17. */
    @Test
    void anotherThrottleIsPassedOnOnce() {
        try (Subject subject = new Subject(false)) {
            for (int i = 0; i < 10; i++) {
                subject.fill("postgres", "filler" + i, 600);
            }
            subject.declare(DesiredState.ENABLED, "policy.online.costDelay", "20ms", "policy.online.costLimit", 100);
            subject.await("under way", UNDER_WAY);
            subject.set("policy.online.costDelay", "0ms");
            subject.awaitConverged(DesiredState.ENABLED);
            assertThat(subject.events())
                    .filteredOn(e -> e.getReason().equals("Retuned"))
                    .hasSize(1);
            assertThat(subject.server()
                            .log()
                            .lines()
                            .filter(l -> l.contains("data checksum processing already running")))
                    .hasSize(1);
        }
    }
}

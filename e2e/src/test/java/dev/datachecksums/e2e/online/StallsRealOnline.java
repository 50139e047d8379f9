package dev.datachecksums.e2e.online;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.BlockerStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.postgres.LocalPostgres;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a run waits for, as a user is told of it: the reason, who is behind it and what to do; and who is ended for it. */
@Timeout(600)
class StallsRealOnline {
    private static final Object[] SLOWLY = {"policy.online.costDelay", "20ms", "policy.online.costLimit", 100};
    private static final String TABLE = "CREATE TEMPORARY TABLE scratch AS SELECT 1 AS x";

    private static BlockerStatus waitsFor(Subject subject, String reason) {
        DataChecksumsStatus status = subject.await(
                "waits for " + reason,
                s -> s.progress() != null
                        && String.valueOf(s.progress().waitingOn()).startsWith(reason)
                        && s.blockers() != null
                        && s.blockers().get(0).check().equals(reason));
        BlockerStatus blocker = Objects.requireNonNull(status.blockers()).get(0);
        assertThat(blocker.remedy()).isNotBlank();
        return blocker;
    }

    @Test
    void lockWaitNamesTheHolder() {
        try (Subject subject = new Subject(false)) {
            subject.fill("postgres", "large", 1500);
            subject.fill("postgres", "locked", 10);
            subject.declare(DesiredState.ENABLED, SLOWLY);
            subject.await(
                    "at the large table",
                    s -> s.progress() != null
                            && "public.large".equals(s.progress().currentRelation()));
            try (Subject.Held lock = subject.hold(
                    "postgres",
                    "SET application_name = 'billing'",
                    "BEGIN",
                    "LOCK TABLE locked IN ACCESS EXCLUSIVE MODE")) {
                assertThat(waitsFor(subject, "LockWait").message())
                        .contains("application billing")
                        .doesNotContain("LOCK TABLE");
            }
            subject.awaitConverged(DesiredState.ENABLED);
        }
    }

    /** A worker locks its database before it is in it. */
    @Test
    void aDatabaseThatIsBeingRenamedHoldsItsWorkerUpAtItsStart() {
        try (Subject subject = new Subject(false)) {
            subject.fill("postgres", "large", 1500);
            subject.server().execute("CREATE DATABASE shop");
            subject.declare(DesiredState.ENABLED, SLOWLY);
            subject.await(
                    "at the large table",
                    s -> s.progress() != null
                            && "public.large".equals(s.progress().currentRelation()));
            try (Subject.Held rename = subject.hold(
                    "postgres", "SET application_name = 'billing'", "BEGIN", "ALTER DATABASE shop RENAME TO store")) {
                assertThat(waitsFor(subject, "LockWait").message()).contains("application billing");
            }
            subject.awaitConverged(DesiredState.ENABLED);
            assertThat(subject.status().attempts()).isNull();
        }
    }

    @Test
    void syncReplicationIsNoSessionsFault() {
        try (Subject subject = new Subject(false)) {
            subject.server().execute("CREATE TABLE orders (x int)");
            synchronous(subject, "nobody");
            CompletableFuture<Void> commit =
                    CompletableFuture.runAsync(() -> subject.execute("postgres", "INSERT INTO orders VALUES (1)"));
            subject.awaitServer("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'", "1");
            subject.declare(
                    DesiredState.ENABLED, "policy.online.blockers", "Terminate", "policy.online.blockersGrace", "1s");
            assertThat(waitsFor(subject, "SyncReplication").remedy()).contains("synchronous_standby_names");
            synchronous(subject, "");
            commit.join();
            subject.awaitConverged(DesiredState.ENABLED);
            assertThat(subject.told("SessionTerminated")).isEmpty();
        }
    }

    private static void synchronous(Subject subject, String standbys) {
        subject.server()
                .execute("ALTER SYSTEM SET synchronous_standby_names = '" + standbys + "'", "SELECT pg_reload_conf()");
    }

    @Test
    void theBarrierIsToldOfWhileAProcessDoesNotMove() throws Exception {
        try (Subject subject = new Subject(false)) {
            LocalPostgres server = subject.server();
            try (Subject.Held frozen = freeze(subject)) {
                subject.declare(DesiredState.ENABLED);
                waitsFor(subject, "Barrier");
                assertThat(subject.shown()).isEqualTo("inprogress-on");
            }
            subject.awaitConverged(DesiredState.ENABLED);
            assertThat(server.isRunning()).isTrue();
        }
    }

    static Subject.Held freeze(Subject subject) {
        Subject.Held session = subject.hold("postgres", "SET application_name = 'frozen'");
        String pid = String.valueOf(
                subject.server().query("SELECT pid FROM pg_stat_activity WHERE application_name = 'frozen'"));
        signal(subject, "-STOP", pid);
        return () -> {
            signal(subject, "-CONT", pid);
            session.close();
        };
    }

    static void signal(Subject subject, String signal, String pid) {
        subject.server().account().run(Path.of("/bin"), "kill", signal, pid).orThrow();
    }

    /** What none of the reasons explains is said too. */
    @Test
    void aWorkerThatDoesNotMoveIsStalled() {
        try (Subject subject = new Subject(false)) {
            subject.fill("postgres", "large", 3000);
            subject.declare(DesiredState.ENABLED, with(SLOWLY, "policy.stalledAfter", "10s"));
            subject.await(
                    "at the large table",
                    s -> s.progress() != null
                            && "public.large".equals(s.progress().currentRelation()));
            String pid = String.valueOf(subject.server()
                    .query("SELECT pid FROM pg_stat_activity WHERE backend_type ~ 'checksum.*worker$'"));
            signal(subject, "-STOP", pid);
            DataChecksumsStatus stalled = subject.await(
                    "stalled",
                    s -> s.conditions() != null
                            && Subject.condition(s, "Stalled").status().equals("True"));
            assertThat(Subject.condition(stalled, "Stalled").reason()).isEqualTo("NoProgress");
            signal(subject, "-CONT", pid);
            subject.awaitConverged(DesiredState.ENABLED);
            assertThat(subject.status().attempts()).isNull();
        }
    }

    /** Case 20 of a throttle: it is said before and during, and not refused. */
    @Test
    void throttleTooTightIsSaidInThePlanAsAnEventAndWhileItRuns() {
        try (Subject subject = new Subject(false)) {
            subject.fill("postgres", "large", 3000);
            subject.declare(DesiredState.ENABLED, "policy.online.costDelay", "10s", "policy.online.costLimit", 1);
            BlockerStatus tight = waitsFor(subject, "ThrottleTooTight");
            assertThat(tight.message()).contains("days");
            assertThat(subject.told("ThrottleTooTight"))
                    .anySatisfy(m -> assertThat(m).contains("days").contains("costDelay 10000ms, costLimit 1"));
            assertThat(String.valueOf(
                            Objects.requireNonNull(subject.status().plan()).reason()))
                    .contains("days");
            assertThat(Objects.requireNonNull(subject.status().plan()).estimatedWalBytes())
                    .isGreaterThan(3000L * 8192);
            subject.set(DesiredState.DISABLED);
            subject.awaitConverged(DesiredState.DISABLED);
            assertThat(subject.told("Retuned")).isEmpty();
        }
    }

    /** Exactly those sessions, and an event for each. */
    @Test
    void sessionsWithOlderTemporaryTablesAreEndedAfterTheirGraceAndNoOthers() {
        try (Subject subject = new Subject(false);
                Subject.Held one = subject.hold("postgres", "SET application_name = 'one'", TABLE);
                Subject.Held two = subject.hold("postgres", "SET application_name = 'two'", TABLE);
                Subject.Held elsewhere = subject.hold("template1", "SET application_name = 'idle'", "SELECT 1")) {
            subject.declare(
                    DesiredState.ENABLED,
                    "policy.online.blockers",
                    "Terminate",
                    "policy.online.blockersGrace",
                    "4s",
                    "policy.stalledAfter",
                    "10s");
            waitsFor(subject, "TemporaryTables");
            assertThat(others(subject)).isEqualTo("idle,one,two");
            try (Subject.Held young = subject.hold("postgres", "SET application_name = 'young'")) {
                subject.awaitConverged(DesiredState.ENABLED);
                assertThat(others(subject)).isEqualTo("idle,young");
            }
            assertThat(subject.told("SessionTerminated")).hasSize(2);
        }
    }

    private static String others(Subject subject) {
        return String.valueOf(subject.server()
                .query("SELECT string_agg(application_name, ',' ORDER BY application_name) FROM pg_stat_activity"
                        + " WHERE application_name IN ('one', 'two', 'idle', 'young')"));
    }

    /** A statement may hold data: it is told where the operator's flag allows it, and nowhere else. */
    @Test
    void theTextOfAQueryIsToldByTheFlagOnly() {
        for (boolean allowed : List.of(false, true)) {
            try (Subject subject = new Subject(LocalPostgres.builder().checksums(false), "--show-queries=" + allowed);
                    Subject.Held writer = subject.hold(
                            "postgres",
                            "SET application_name = 'billing'",
                            "BEGIN",
                            "CREATE TABLE secret_of_somebody ()")) {
                subject.declare(DesiredState.ENABLED);
                String message = waitsFor(subject, "OldTransaction").message();
                assertThat(message)
                        .contains("user postgres")
                        .contains("application billing")
                        .contains("transaction open for")
                        .contains("last statement begun at");
                assertThat(message.contains("secret_of_somebody")).isEqualTo(allowed);
                assertThat(subject.told("OldTransaction")).isNotEmpty();
            }
        }
    }

    static Object[] with(Object[] fields, Object... more) {
        List<Object> all = new java.util.ArrayList<>(List.of(fields));
        all.addAll(List.of(more));
        return all.toArray();
    }
}

package dev.datachecksums.e2e.online;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.postgres.LocalPostgres;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What people and accidents do to a run and to its declaration. DCK_SEED repeats what was random. */
@Timeout(900)
class MeddlingRealOnline {
    /** About 8 MB a second. */
    private static final Object[] SLOWLY = {"policy.online.costDelay", "5ms", "policy.online.costLimit", 100};

    private static final int KILLS = 15;

    private final Random random = new Random(Long.parseLong(System.getenv().getOrDefault("DCK_SEED", "1")));

    private static Predicate<DataChecksumsStatus> at(String table) {
        return s -> s.progress() != null && table.equals(s.progress().currentRelation());
    }

    private void pause(int mostMillis) {
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(mostMillis)).toNanos());
    }

    /** The server goes on without it: its run is neither lost nor begun anew, and no failure is counted. */
    @Test
    void anOperatorKilledAtRandomMomentsLosesNoRun() {
        try (Subject subject = Subject.killable(LocalPostgres.builder().checksums(false));
                LocalPostgres standby = subject.server().standby()) {
            for (int i = 0; i < 20; i++) {
                subject.fill("postgres", "filler" + i, 1000);
            }
            subject.declare(DesiredState.ENABLED, SLOWLY);
            int kills = 0;
            int percent = 0;
            while (kills < KILLS && !subject.shown().equals("on")) {
                pause(1500);
                subject.operator().kill();
                kills++;
                pause(300);
                subject.operator().start();
                DataChecksumsStatus s = subject.status();
                int now = s.progress() == null || s.progress().percent() == null
                        ? percent
                        : s.progress().percent();
                assertThat(now).isGreaterThanOrEqualTo(percent);
                percent = now;
            }
            DataChecksumsStatus on = subject.awaitConverged(DesiredState.ENABLED);
            System.out.println("operator killed " + kills + " times");
            assertThat(Objects.requireNonNull(on.lastConversion()).attempts()).isEqualTo(1);
            assertThat(subject.told("RunAborted")).isEmpty();
            subject.awaitServer(
                    "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()", "1");
            assertThat(standby.query("SHOW data_checksums")).isEqualTo("on");
        }
    }

    @Test
    void flipsByTheSecondEndAsDeclaredLast() {
        try (Subject subject = new Subject(false)) {
            subject.fill("postgres", "large", 8000);
            subject.declare(DesiredState.ENABLED, SLOWLY);
            for (int i = 0; i < 12; i++) {
                pause(1500);
                subject.set(i % 2 == 0 ? DesiredState.DISABLED : DesiredState.ENABLED);
            }
            subject.awaitConverged(DesiredState.ENABLED);
            assertThat(subject.status().attempts()).isNull();
            subject.set(DesiredState.DISABLED);
            pause(200);
            subject.set(DesiredState.ENABLED);
            pause(200);
            subject.set(DesiredState.DISABLED);
            subject.awaitConverged(DesiredState.DISABLED);
            assertThat(subject.status().attempts()).isNull();
        }
    }

    @Test
    void theYoungerOfTwoResourcesLeavesTheRunAlone() {
        try (Subject subject = new Subject(false)) {
            subject.fill("postgres", "large", 4000);
            subject.declare(DesiredState.ENABLED, SLOWLY);
            subject.await("at the large table", at("public.large"));
            subject.declareAs("younger", DesiredState.DISABLED);
            DataChecksumsStatus younger = subject.await("younger", s -> {
                DataChecksumsStatus y = subject.get("younger").getStatus();
                return y != null && y.phase() != null;
            });
            assertThat(younger).isNotNull();
            subject.awaitConverged(DesiredState.ENABLED);
            DataChecksumsStatus after = subject.get("younger").getStatus();
            assertThat(after.phase()).isEqualTo(Phase.BLOCKED);
            assertThat(Subject.condition(after, "Ready").reason()).isEqualTo("Conflict");
            assertThat(subject.shown()).isEqualTo("on");
        }
    }

    @Test
    void deletingTheResourceLeavesTheServerToItself() {
        try (Subject subject = new Subject(false)) {
            subject.fill("postgres", "large", 3000);
            subject.declare(DesiredState.ENABLED, SLOWLY);
            subject.await("at the large table", at("public.large"));
            subject.delete();
            assertThat(subject.shown()).isEqualTo("inprogress-on");
            subject.awaitServer("SHOW data_checksums", "on");
            subject.declareAs("orders", DesiredState.DISABLED);
            subject.awaitConverged(DesiredState.DISABLED);
        }
    }

    /** Somebody else's run in the declared direction is taken over: no second one, and the throttle is the spec's. */
    @Test
    void aRunOfSomebodyElseIsTakenOver() {
        try (Subject subject = new Subject(false)) {
            subject.fill("postgres", "large", 2000);
            subject.fill("postgres", "second", 2000);
            subject.server().execute("SELECT pg_enable_data_checksums(20, 100)");
            subject.declare(DesiredState.ENABLED);
            subject.awaitConverged(DesiredState.ENABLED);
            assertThat(subject.server()
                            .log()
                            .lines()
                            .filter(l -> l.contains("data checksum processing already running")))
                    .hasSize(1);
        }
    }
}

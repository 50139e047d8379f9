package dev.datachecksums.e2e.online;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.ObservedState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.postgres.LocalPostgres;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs that end before their time: noticed, counted with their reason, and tried again. */
@Timeout(600)
class AbortsRealOnline {
    /** About 8 MB a second. */
    private static final Object[] SLOWLY = {"policy.online.costDelay", "5ms", "policy.online.costLimit", 100};

    private static final String PIDS = "(pid) FROM pg_stat_activity WHERE backend_type ~ 'checksum.*";

    /** With a table that is being gone through. */
    private static void begun(Subject subject, Object... more) {
        subject.fill("postgres", "large", 8000);
        subject.declare(DesiredState.ENABLED, StallsRealOnline.with(SLOWLY, more));
        subject.await(
                "at the large table",
                s -> s.progress() != null && "public.large".equals(s.progress().currentRelation()));
    }

    private static void counted(Subject subject, String reason, Runnable interruption) {
        interruption.run();
        long ended = System.nanoTime();
        DataChecksumsStatus status = subject.await(
                "the end of the run to be counted",
                s -> s.attempts() != null
                        && Integer.valueOf(1).equals(s.attempts().count()));
        System.out.println(reason + " noticed after "
                + Duration.ofNanos(System.nanoTime() - ended).toMillis() + " ms");
        AttemptsStatus attempts = Objects.requireNonNull(status.attempts());
        assertThat(attempts.lastReason()).isEqualTo(reason);
        assertThat(attempts.lastError()).isNotBlank();
        assertThat(subject.told(reason)).hasSize(1);
    }

    private static void triedAgain(Subject subject) {
        DataChecksumsStatus on = subject.awaitConverged(DesiredState.ENABLED);
        assertThat(Objects.requireNonNull(on.lastConversion()).attempts()).isEqualTo(2);
    }

    @Test
    void aTerminatedWorkerAndACancelledLauncherAreCountedAndTriedAgain() {
        for (String interruption :
                new String[] {"pg_terminate_backend" + PIDS + "worker$'", "pg_cancel_backend" + PIDS + "launcher$'"}) {
            try (Subject subject = new Subject(false)) {
                begun(subject);
                counted(subject, "RunAborted", () -> subject.server().execute("SELECT " + interruption));
                triedAgain(subject);
            }
        }
    }

    /** Its row stays in the server's view while nobody leads any more, and it is in the way of the next launcher. */
    @Test
    void aWorkerWithoutALauncherIsNoRun() {
        try (Subject subject = new Subject(false)) {
            begun(subject);
            String worker = String.valueOf(subject.server().query("SELECT pid" + PIDS.substring(5) + "worker$'"));
            StallsRealOnline.signal(subject, "-STOP", worker);
            counted(
                    subject,
                    "RunAborted",
                    () -> subject.server().execute("SELECT pg_terminate_backend" + PIDS + "launcher$'"));
            assertThat(subject.server().query("SELECT count(*) FROM pg_stat_progress_data_checksums"))
                    .isEqualTo("1");
            subject.await(
                    "tried again", s -> s.conversion() != null && s.conversion().online() != null);
            StallsRealOnline.signal(subject, "-CONT", worker);
            subject.awaitConverged(DesiredState.ENABLED);
        }
    }

    /** Case 9. */
    @Test
    void aDatabaseDroppedUnderTheWorkerLeavesAllOthersConverted() {
        try (Subject subject = new Subject(false)) {
            subject.server().execute("CREATE DATABASE dropped");
            subject.fill("dropped", "large", 8000);
            subject.declare(DesiredState.ENABLED, SLOWLY);
            subject.await(
                    "at the database",
                    s -> s.progress() != null
                            && "dropped".equals(s.progress().currentDatabase())
                            && "public.large".equals(s.progress().currentRelation()));
            subject.server().execute("DROP DATABASE dropped WITH (FORCE)");
            subject.awaitConverged(DesiredState.ENABLED);
        }
    }

    @Test
    void aPromotionIsCountedAndTheNewPrimaryIsConverted() {
        try (Subject subject = new Subject(false);
                LocalPostgres standby = subject.server().standby()) {
            begun(subject);
            subject.server().stop(LocalPostgres.StopMode.IMMEDIATE);
            standby.execute("SELECT pg_promote()");
            counted(subject, "Promoted", () -> subject.set("connection.port", standby.port()));
            subject.await(
                    "the new primary as declared", s -> s.phase() == Phase.CONVERGED && s.state() == ObservedState.ON);
            assertThat(standby.query("SHOW data_checksums")).isEqualTo("on");
        }
    }

    /** Case 14. */
    @Test
    void aDisableWithoutALauncherIsToldAgain() {
        try (Subject subject = new Subject(true)) {
            try (Subject.Held frozen = StallsRealOnline.freeze(subject)) {
                subject.declare(DesiredState.DISABLED);
                subject.await("halfway", s -> s.state() == ObservedState.IN_PROGRESS_OFF);
                subject.server().execute("SELECT pg_terminate_backend" + PIDS + "launcher$'");
                subject.await("told again", s -> !subject.told("DisableStuck").isEmpty());
            }
            subject.awaitConverged(DesiredState.DISABLED);
            assertThat(subject.status().attempts()).isNull();
        }
    }

    @Test
    void afterTheLastTryItIsLeftAlone() {
        try (Subject subject = new Subject(false)) {
            begun(subject, "policy.attempts", 1);
            counted(
                    subject,
                    "RunAborted",
                    () -> subject.server().execute("SELECT pg_terminate_backend" + PIDS + "worker$'"));
            subject.await("failed", s -> s.phase() == Phase.FAILED);
            assertThat(subject.shown()).isEqualTo("off");
            subject.set("policy.attempts", 2);
            subject.awaitConverged(DesiredState.ENABLED);
        }
    }
}

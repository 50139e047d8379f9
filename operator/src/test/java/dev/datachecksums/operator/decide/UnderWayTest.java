package dev.datachecksums.operator.decide;

import static dev.datachecksums.operator.decide.Observations.NOW;
import static dev.datachecksums.operator.decide.Observations.conversion;
import static dev.datachecksums.operator.decide.Observations.converting;
import static dev.datachecksums.operator.offline.Step.READY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.observe.SessionFacts;
import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.ServerFacts.RunningBackup;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The transitions of a conversion that goes forward. */
class UnderWayTest {

    private static final Class<Decision.Nothing> NOTHING = Decision.Nothing.class;
    private static final Class<Decision.GiveUp> GIVE_UP = Decision.GiveUp.class;

    private static Observations ready() {
        return converting().job(Jobs.convert().said(READY));
    }

    static Stream<Arguments> job() {
        return Stream.of(
                Case.of("no Job yet", converting(), Phase.CONVERTING, "Preparing", Decision.StartJob.class),
                Case.of(
                        "no Job after two minutes",
                        converting().at(NOW.plusSeconds(111)),
                        Phase.STARTING,
                        "JobNotStarted",
                        GIVE_UP),
                Case.of(
                        "a start that cannot be read is long ago",
                        converting().conversion(edited()),
                        Phase.STARTING,
                        "JobNotStarted",
                        GIVE_UP),
                Case.of(
                        "the Job has gone, and the interlock stands by our session",
                        converting().interlocked(NOW),
                        Phase.STARTING,
                        "JobLost",
                        GIVE_UP),
                Case.of(
                        "the Job has gone, and the interlock stands by the server",
                        converting().server(s -> s.interlock(true)),
                        Phase.STARTING,
                        "JobLost",
                        GIVE_UP),
                Case.of(
                        "the Job's pod is pending",
                        converting().job(Jobs.convert().pending()),
                        Phase.CONVERTING,
                        "Preparing",
                        NOTHING),
                Case.of(
                        "the Job's pod is pending for too long",
                        converting()
                                .job(Jobs.convert()
                                        .pending()
                                        .created(NOW.minusSeconds(91))
                                        .problem("no node fits")),
                        Phase.STARTING,
                        "JobNotStarted",
                        GIVE_UP,
                        says("no node fits")),
                Case.of(
                        "the operator's clock is an hour ahead of the API server's",
                        converting()
                                .job(Jobs.convert()
                                        .pending()
                                        .created(NOW.minusSeconds(3600))
                                        .asked(NOW.minusSeconds(9))),
                        Phase.CONVERTING,
                        "Preparing",
                        NOTHING),
                Case.of(
                        "the node is cordoned",
                        converting()
                                .job(
                                        Jobs.convert()
                                                .pending()
                                                .created(NOW.minusSeconds(91))
                                                .problem(
                                                        "Unschedulable: 0/1 nodes are available: 1 node(s) were unschedulable")),
                        Phase.STARTING,
                        "Unschedulable",
                        GIVE_UP,
                        says("were unschedulable")),
                Case.of(
                        "admission refuses the Job's pod",
                        converting().job(Jobs.convert().noPod().problem("exceeded quota")),
                        Phase.STARTING,
                        "JobNotStarted",
                        GIVE_UP,
                        says("exceeded quota")),
                Case.of(
                        "the Job runs, and its log was not read yet",
                        converting().job(Jobs.convert().created(NOW.minusSeconds(200))),
                        Phase.CONVERTING,
                        "Preparing",
                        NOTHING),
                Case.of(
                        "the Job runs and says nothing at all",
                        converting().job(Jobs.convert().created(NOW.minusSeconds(301))),
                        Phase.STARTING,
                        "JobNotStarted",
                        GIVE_UP),
                Case.of(
                        "the script refuses",
                        converting().job(Jobs.convert().failed("StrayFile", true)),
                        Phase.STARTING,
                        "StrayFile",
                        GIVE_UP,
                        says("message of StrayFile")),
                Case.of(
                        "the Job was killed",
                        converting().job(Jobs.convert().ended(137)),
                        Phase.STARTING,
                        "JobFailed",
                        GIVE_UP,
                        says("exit status 137")),
                Case.of(
                        "the Job is being deleted",
                        converting().job(Jobs.convert().said(READY).deleting()),
                        Phase.STARTING,
                        "JobDeleted",
                        GIVE_UP));
    }

    static Stream<Arguments> prepared() {
        return Stream.of(
                Case.of("ready, no session", ready(), Phase.CONVERTING, "Preparing", Decision.HoldSession.class),
                Case.of(
                        "CHECKPOINT runs",
                        ready().session(SessionFacts.State.PREPARING),
                        Phase.CONVERTING,
                        "Checkpoint",
                        NOTHING),
                Case.of(
                        "all is ready",
                        ready().session(SessionFacts.State.READY),
                        Phase.STOPPING,
                        "Arming",
                        Decision.Arm.class),
                Case.of(
                        "the CHECKPOINT is old",
                        ready().session(new SessionFacts(
                                SessionFacts.State.READY, NOW.minusSeconds(31), Optional.empty(), Optional.empty())),
                        Phase.CONVERTING,
                        "Preparing",
                        Decision.HoldSession.class),
                Case.of(
                        "the session broke",
                        ready().session(new SessionFacts(
                                SessionFacts.State.BROKEN, NOW, Optional.empty(), Optional.of("no shell"))),
                        Phase.STARTING,
                        "SessionBroken",
                        GIVE_UP,
                        says("no shell")),
                Case.of("it takes for ever", ready().at(NOW.plusSeconds(1200)), Phase.STARTING, "NotArmed", GIVE_UP),
                Case.of(
                        "our finalizer has gone",
                        ready().finalizer(false).session(SessionFacts.State.READY),
                        Phase.PENDING,
                        "FinalizerMissing",
                        Decision.AdoptRemains.class),
                Case.of(
                        "the volume is another server's",
                        converting().job(Jobs.convert().ready("42", Servers.STARTED)),
                        Phase.STARTING,
                        "AnotherServer",
                        GIVE_UP,
                        says("42")),
                Case.of(
                        "the same cluster, another postmaster",
                        converting().job(Jobs.convert().ready(Servers.SYSTEM, NOW)),
                        Phase.STARTING,
                        "AnotherServer",
                        GIVE_UP),
                Case.of(
                        "a backup began",
                        ready().session(SessionFacts.State.READY)
                                .server(s -> s.backups(Answer.given(List.of(new RunningBackup(1, "b", "runs"))))),
                        Phase.STARTING,
                        "GateClosed",
                        GIVE_UP,
                        says("BackupRunning")),
                Case.of(
                        "it became a standby",
                        ready().session(SessionFacts.State.READY).server(Servers::inRecovery),
                        Phase.STARTING,
                        "GateClosed",
                        GIVE_UP,
                        says("NotInRecovery")),
                Case.of(
                        "an older resource came up",
                        ready().session(SessionFacts.State.READY).conflict("shop/older"),
                        Phase.STARTING,
                        "GateClosed",
                        GIVE_UP,
                        says("shop/older")),
                Case.of(
                        "the window is about to close",
                        ready().session(SessionFacts.State.READY).window("0 19 * * *", "1h", "Etc/UTC"),
                        Phase.STARTING,
                        "GateClosed",
                        GIVE_UP,
                        says("window")),
                Case.of(
                        "the workload cannot be seen for a moment",
                        ready().workloadMissing("ApiUnavailable"),
                        Phase.CONVERTING,
                        "ApiUnavailable",
                        NOTHING),
                Case.of(
                        "the workload has gone",
                        ready().workloadMissing("WorkloadNotFound"),
                        Phase.STARTING,
                        "WorkloadNotFound",
                        GIVE_UP),
                Case.of(
                        "the server does not answer for a moment",
                        ready().at(NOW.plusSeconds(600)).serverMissing("TimedOut"),
                        Phase.CONVERTING,
                        "TimedOut",
                        NOTHING),
                Case.of(
                        "the server does not answer at all",
                        ready().at(NOW.plusSeconds(1200)).serverMissing("TimedOut"),
                        Phase.STARTING,
                        "ServerVanished",
                        GIVE_UP),
                Case.of(
                        "the password was changed",
                        ready().serverMissing("AuthenticationFailed"),
                        Phase.STARTING,
                        "GateClosed",
                        GIVE_UP),
                Case.of(
                        "somebody deleted the pod",
                        ready().workload(w -> w.deleting(NOW)),
                        Phase.STARTING,
                        "PodReplaced",
                        GIVE_UP),
                Case.of(
                        "the pod is another",
                        converting()
                                .workload(w -> w.uid("uid-pod-2"))
                                .job(Jobs.convert().pending()),
                        Phase.STARTING,
                        "PodReplaced",
                        GIVE_UP),
                Case.of(
                        "the pod is going, and the Job's log was not read yet",
                        converting().workload(w -> w.held().deleting(NOW)).job(Jobs.convert()),
                        Phase.CONVERTING,
                        "Preparing",
                        NOTHING));
    }

    @ParameterizedTest
    @MethodSource({"job", "prepared"})
    void transition(Case row) {
        row.verify();
    }

    private static Consumer<Verdict> says(String words) {
        return v -> assertThat(v.message()).contains(words);
    }

    private static dev.datachecksums.api.v1alpha1.ConversionStatus edited() {
        var c = conversion(DesiredState.ENABLED, null, null);
        return new dev.datachecksums.api.v1alpha1.ConversionStatus(
                c.id(), c.to(), c.method(), "yesterday", c.pod(), c.podUid(), c.bytes(), null, null, null);
    }
}

package dev.datachecksums.operator.decide;

import static dev.datachecksums.operator.decide.Observations.NOW;
import static dev.datachecksums.operator.decide.Observations.TRY;
import static dev.datachecksums.operator.decide.Observations.givingUp;
import static dev.datachecksums.operator.decide.WaysBack.lift;
import static dev.datachecksums.operator.decide.WaysBack.row;
import static dev.datachecksums.operator.decide.WaysBack.says;
import static dev.datachecksums.operator.offline.Step.ARMED;
import static dev.datachecksums.operator.offline.Step.DONE;
import static dev.datachecksums.operator.offline.Step.LIFTED;
import static dev.datachecksums.operator.offline.Step.READY;
import static dev.datachecksums.operator.offline.Step.STOPPED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.decide.check.Gates;
import dev.datachecksums.operator.postgres.Answer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The transitions of a try that is given up. */
class WayBackTest {

    private static final Class<Decision.Nothing> NOTHING = Decision.Nothing.class;
    private static final Class<Decision.EndTry> END = Decision.EndTry.class;
    private static final Class<Decision.LiftByJob> LIFT = Decision.LiftByJob.class;
    private static final String WHY = "NotClean: it was not clean";

    private static Observations back() {
        return givingUp(WHY);
    }

    /** Given up before the server was stopped. */
    private static Observations notStopped() {
        return givingUp(WHY).conversion(Observations.conversion(DesiredState.ENABLED, null, WHY));
    }

    /** A server that serves again, started a while after the Job's last word. */
    private static Observations again() {
        return back().server(s -> s.started(NOW))
                .workload(w -> w.uid("uid-pod-2"))
                .job(ended());
    }

    private static Observations held() {
        return back().workload(w -> w.held().deleting(NOW.minusSeconds(5)).ended());
    }

    private static Jobs ended() {
        return Jobs.convert().said(READY, ARMED, STOPPED).failed("NotClean", true);
    }

    private static Jobs killed() {
        return Jobs.convert().said(READY, ARMED, STOPPED).ended(137);
    }

    static Stream<Arguments> theJobEnds() {
        return Stream.of(
                row("it runs", held().job(Jobs.convert().said(READY, ARMED, STOPPED)), Decision.DeleteJob.class),
                row("it is pending", back().job(Jobs.convert().pending()), Decision.DeleteJob.class),
                row(
                        "it lifts within its grace, even if that takes hours",
                        held().at(NOW.plusSeconds(7200))
                                .job(Jobs.convert().said(READY, ARMED, STOPPED).deleting()),
                        NOTHING,
                        says(TRY + "-x")),
                row(
                        "nothing is concluded from a server that answers while it runs",
                        back().server(s -> {})
                                .job(Jobs.convert().said(READY, ARMED).deleting()),
                        NOTHING),
                row(
                        "it is going, and never had a pod",
                        notStopped().server(s -> {}).job(Jobs.convert().noPod().deleting()),
                        END));
    }

    static Stream<Arguments> theServerServes() {
        return Stream.of(
                row("the line stands", back().server(s -> s.interlock(true)), Decision.LiftBySql.class),
                row(
                        "the line stands, and the Job says that it does not",
                        back().server(s -> s.interlock(true)).job(ended()),
                        Decision.LiftBySql.class),
                row(
                        "the line stands, and we may not lift it",
                        back().server(s -> s.interlock(true).noSuperuser()),
                        LIFT),
                row(
                        "nobody can say whether the line stands",
                        notStopped().server(s -> s.interlock(Answer.absent("x"))),
                        LIFT),
                row(
                        "nobody can say whether the line stands, and a pod is held",
                        notStopped()
                                .server(s -> s.interlock(Answer.absent("x")))
                                .workload(Workloads::held),
                        LIFT),
                row("never stopped, no line", notStopped().server(s -> {}), END),
                row(
                        "never stopped, no line, the pod is held",
                        notStopped().server(s -> {}).workload(Workloads::held),
                        Decision.Release.class),
                row("stopped, and it serves again", again(), END),
                row(
                        "stopped, it serves again, and what the Job did is not known",
                        back().server(s -> s.started(NOW)).workload(w -> w.uid("uid-pod-2")),
                        LIFT),
                row(
                        "stopped, and it came up before the Job took pg_wal away, which it could not put back",
                        back().server(s -> s.started(NOW.minusSeconds(6)))
                                .workload(w -> w.uid("uid-pod-2"))
                                .job(Jobs.convert().said(READY, ARMED, STOPPED).failed("ServerStarted", false)),
                        LIFT),
                row(
                        "no line, and whether a pod is held cannot be seen",
                        again().workloadMissing("ApiUnavailable"),
                        NOTHING),
                row(
                        "deleted, no line, and whether a pod is held may not be seen",
                        again().deleting().workloadMissing("Forbidden"),
                        NOTHING,
                        says("remedy of Forbidden")),
                row("no line, and the workload has gone", again().workloadMissing("WorkloadNotFound"), END));
    }

    static Stream<Arguments> theServerIsDown() {
        return Stream.of(
                row("the Job lifted", held().job(ended()), Decision.Release.class),
                row("the Job was done", held().job(Jobs.convert().said(DONE).ended(0)), Decision.Release.class),
                row(
                        "the Job lifted, and the last word that is known says no more",
                        held().job(Jobs.convert()
                                .said(READY, ARMED, STOPPED, LIFTED)
                                .ended(137)),
                        Decision.Release.class),
                row(
                        "the Job says that it could not lift",
                        held().job(Jobs.convert().said(READY, ARMED, STOPPED).failed("LiftFailed", false)),
                        LIFT,
                        lift(1)),
                row("the Job was killed", held().job(killed()), LIFT, lift(1)),
                row("the Job has gone", held(), LIFT, lift(1)),
                row(
                        "the Job never saw a line: one may have been written as it ended",
                        held().job(Jobs.convert().said(READY).failed("NotArmed", true)),
                        LIFT),
                row(
                        "the Job refused before it was ready, so that no line was ever written",
                        held().job(Jobs.convert().failed("StrayFile", true)),
                        Decision.Release.class),
                row(
                        "no pod that a Job could be modelled on",
                        back().workload(w -> w.noPod().replicas(0)),
                        NOTHING),
                row(
                        "no pod, and the Job has gone; the resource is deleted",
                        back().deleting().workload(w -> w.noPod().replicas(0)),
                        NOTHING,
                        says("as soon as the workload has a pod")),
                row("the workload has gone", back().workloadMissing("WorkloadNotFound"), END, says("pg_wal.dck")),
                row("deleted, everything lifted and released", back().deleting().job(ended()), END),
                row("lifted and released: it starts", back().job(ended()), NOTHING, says("message of Unreachable")),
                row(
                        "lifted and released, but scaled to 0 by somebody",
                        back().workload(w -> w.noPod().replicas(0)).job(ended()),
                        NOTHING,
                        says("scaled to 0")),
                row(
                        "the container met the interlock",
                        back().workload(w -> w.uid("uid-pod-2").crashing().created(NOW.minusSeconds(6)))
                                .job(ended()),
                        Decision.RestartPod.class),
                row(
                        "the container was restarted long ago, and the pod is ready",
                        back().workload(Workloads::restarted).job(ended()),
                        NOTHING),
                row(
                        "the container crashes in a pod that was made after the lift",
                        back().workload(w -> w.uid("uid-pod-2").crashing().created(NOW))
                                .job(ended()),
                        NOTHING),
                row(
                        "the stopped pod, released, takes its time",
                        back().at(NOW.plusSeconds(10))
                                .workload(w -> w.deleting(NOW.minusSeconds(5)))
                                .job(ended()),
                        NOTHING),
                row(
                        "the stopped pod, released, does not end",
                        back().at(NOW.plusSeconds(20))
                                .workload(w -> w.deleting(NOW.minusSeconds(5)))
                                .job(ended()),
                        Decision.RestartPod.class));
    }

    @ParameterizedTest
    @MethodSource({"theJobEnds", "theServerServes", "theServerIsDown"})
    void transition(Case row) {
        row.verify();
    }

    @Test
    void aFailureCounts() {
        assertThat(endTry(WHY, 1)).satisfies(e -> {
            assertThat(e.counts()).isTrue();
            assertThat(e.attempts())
                    .isEqualTo(new AttemptsStatus(2, "NotClean", "it was not clean", NOW.toString(), 1L));
        });
    }

    @Test
    void whatIsNobodysFailureOnlyMakesItWait() {
        assertThat(endTry("GateClosed: a backup began", 1)).satisfies(e -> {
            assertThat(e.counts()).isFalse();
            assertThat(e.attempts())
                    .isEqualTo(new AttemptsStatus(1, "GateClosed", "a backup began", NOW.toString(), 1L));
        });
    }

    @Test
    void whatTheUserAskedForLeavesNoTrace() {
        assertThat(endTry("StateFlipped: spec.state was changed", 1)).satisfies(e -> {
            assertThat(e.counts()).isFalse();
            assertThat(e.attempts()).extracting(AttemptsStatus::lastReason).isEqualTo("StrayFile");
        });
    }

    @Test
    void failuresOfAnotherGenerationAreForgotten() {
        Verdict v = decide(again().tried(2, NOW).generation(7));
        assertThat(((Decision.EndTry) v.decision()).attempts())
                .isEqualTo(new AttemptsStatus(1, "NotClean", "it was not clean", NOW.toString(), 7L));
    }

    @Test
    void aReasonWithoutAMessageIsReadToo() {
        assertThat(endTry("Hm", 0).reason()).isEqualTo("Hm");
    }

    private static Decision.EndTry endTry(String why, int before) {
        return (Decision.EndTry)
                decide(again().conversion(Observations.conversion(DesiredState.ENABLED, NOW.minusSeconds(5), why))
                                .tried(before, NOW.minusSeconds(60)))
                        .decision();
    }

    private static Verdict decide(Observations o) {
        return new Decider(Gates.standard()).decide(o.build());
    }
}

package dev.datachecksums.operator.decide;

import static dev.datachecksums.operator.decide.Observations.NOW;
import static dev.datachecksums.operator.decide.Observations.conversion;
import static dev.datachecksums.operator.decide.Observations.converting;
import static dev.datachecksums.operator.decide.Observations.stopped;
import static dev.datachecksums.operator.offline.Step.ARMED;
import static dev.datachecksums.operator.offline.Step.READY;
import static dev.datachecksums.operator.offline.Step.STOPPED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.observe.SessionFacts;
import dev.datachecksums.operator.postgres.ChecksumState;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The transitions of a conversion from the interlock on. */
class StoppedTest {

    private static final Class<Decision.Nothing> NOTHING = Decision.Nothing.class;
    private static final Class<Decision.GiveUp> GIVE_UP = Decision.GiveUp.class;

    private static Observations ready() {
        return converting().job(Jobs.convert().said(READY));
    }

    private static Observations armed() {
        return converting().job(Jobs.convert().said(READY, ARMED)).interlocked(NOW.minusSeconds(1));
    }

    static Stream<Arguments> theInterlockStands() {
        return Stream.of(
                Case.of(
                        "the Job looks for it",
                        ready().interlocked(NOW.minusSeconds(5)),
                        Phase.STOPPING,
                        "Arming",
                        NOTHING),
                Case.of(
                        "the Job does not see it",
                        ready().interlocked(NOW.minusSeconds(6)),
                        Phase.STARTING,
                        "JobNotArmed",
                        GIVE_UP),
                Case.of(
                        "the Job saw it",
                        armed(),
                        Phase.STOPPING,
                        "Stopping",
                        Decision.Stop.class,
                        v -> assertThat(((Decision.Stop) v.decision()).hold()).isTrue()),
                Case.of(
                        "the Job saw it, and the work is short",
                        armed().state(DesiredState.DISABLED)
                                .server(s -> s.checksums(ChecksumState.ON).interlock(true))
                                .conversion(conversion(DesiredState.DISABLED, null, null)),
                        Phase.STOPPING,
                        "Stopping",
                        Decision.Stop.class,
                        v -> assertThat(((Decision.Stop) v.decision()).hold()).isFalse()),
                Case.of(
                        "the stop is not carried out",
                        armed().interlocked(NOW.minusSeconds(31)),
                        Phase.STARTING,
                        "StopTimeout",
                        GIVE_UP),
                Case.of(
                        "the session broke",
                        armed().session(new SessionFacts(
                                SessionFacts.State.BROKEN, NOW, Optional.of(NOW), Optional.of("killed"))),
                        Phase.STARTING,
                        "SessionBroken",
                        GIVE_UP),
                Case.of(
                        "the operator was restarted, by the server's word",
                        ready().server(s -> s.interlock(true)),
                        Phase.STARTING,
                        "SessionLost",
                        GIVE_UP),
                Case.of(
                        "the operator was restarted, by the Job's word",
                        converting().job(Jobs.convert().said(READY, ARMED)),
                        Phase.STARTING,
                        "SessionLost",
                        GIVE_UP),
                Case.of(
                        "the server has gone",
                        armed().serverMissing("Unreachable"),
                        Phase.STARTING,
                        "ServerVanished",
                        GIVE_UP),
                Case.of(
                        "the server has gone, and the operator was restarted",
                        converting()
                                .serverMissing("Unreachable")
                                .job(Jobs.convert().said(READY, ARMED)),
                        Phase.STARTING,
                        "ServerVanished",
                        GIVE_UP),
                Case.of(
                        "the pod is going: the operator died before it could write down that it stopped it",
                        armed().workload(w -> w.held().deleting(NOW)).serverMissing("ShuttingDown"),
                        Phase.STOPPING,
                        "Stopping",
                        NOTHING));
    }

    static Stream<Arguments> stoppedForIt() {
        return Stream.of(
                Case.of(
                        "it shuts down",
                        stopped().job(Jobs.convert().said(READY, ARMED)),
                        Phase.STOPPING,
                        "Stopping",
                        NOTHING,
                        v -> assertThat(v.until()).contains(NOW.plusSeconds(1795))),
                Case.of(
                        "it is stopped",
                        stopped().job(Jobs.convert().said(READY, ARMED, STOPPED)),
                        Phase.REWRITING,
                        "Rewriting",
                        NOTHING),
                Case.of("the log was not read yet", stopped().job(Jobs.convert()), Phase.STOPPING, "Stopping", NOTHING),
                Case.of("the Job was deleted", stopped(), Phase.STARTING, "JobLost", GIVE_UP),
                Case.of(
                        "the Job failed",
                        stopped().job(Jobs.convert().said(READY, ARMED, STOPPED).failed("NotClean", true)),
                        Phase.STARTING,
                        "NotClean",
                        GIVE_UP),
                Case.of(
                        "the Job ended, and its pod and log have gone",
                        stopped().job(Jobs.convert().noPod().finished()),
                        Phase.STARTING,
                        "JobFailed",
                        GIVE_UP),
                Case.of(
                        "maxOutage is reached",
                        stopped().at(NOW.plusSeconds(1796)).job(Jobs.convert().said(READY, ARMED, STOPPED)),
                        Phase.STARTING,
                        "DeadlineExceeded",
                        GIVE_UP),
                Case.of(
                        "maxOutage is reached, by the Job's word",
                        converting()
                                .at(NOW.plusSeconds(1900))
                                .workload(w -> w.held().deleting(NOW))
                                .serverMissing("Unreachable")
                                .job(Jobs.convert().said(READY, ARMED, STOPPED)),
                        Phase.STARTING,
                        "DeadlineExceeded",
                        GIVE_UP),
                Case.of(
                        "deleted",
                        stopped().deleting().job(Jobs.convert().said(READY, ARMED, STOPPED)),
                        Phase.STARTING,
                        "Deleted",
                        GIVE_UP),
                Case.of(
                        "suspended",
                        stopped().suspended().job(Jobs.convert().said(READY, ARMED, STOPPED)),
                        Phase.STARTING,
                        "Suspended",
                        GIVE_UP),
                Case.of(
                        "declared otherwise",
                        stopped()
                                .state(DesiredState.DISABLED)
                                .job(Jobs.convert().said(READY, ARMED, STOPPED)),
                        Phase.STARTING,
                        "StateFlipped",
                        GIVE_UP));
    }

    @ParameterizedTest
    @MethodSource({"theInterlockStands", "stoppedForIt"})
    void transition(Case row) {
        row.verify();
    }
}

package dev.datachecksums.operator.decide;

import static dev.datachecksums.operator.decide.Observations.NOW;
import static dev.datachecksums.operator.decide.Observations.stopped;
import static dev.datachecksums.operator.offline.Step.ARMED;
import static dev.datachecksums.operator.offline.Step.CONVERTED;
import static dev.datachecksums.operator.offline.Step.DONE;
import static dev.datachecksums.operator.offline.Step.LIFTED;
import static dev.datachecksums.operator.offline.Step.READY;
import static dev.datachecksums.operator.offline.Step.REWRITING;
import static dev.datachecksums.operator.offline.Step.STOPPED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.ObservedState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.postgres.ChecksumState;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The transitions of a conversion once the Job has converted. */
class ConvertedTest {

    private static final Class<Decision.Nothing> NOTHING = Decision.Nothing.class;
    private static final Class<Decision.GiveUp> GIVE_UP = Decision.GiveUp.class;

    private static Observations converted() {
        return stopped().job(Jobs.convert().said(READY, ARMED, STOPPED, REWRITING, CONVERTED, LIFTED));
    }

    static Stream<Arguments> convertedByTheJob() {
        return Stream.of(
                Case.of(
                        "converted, not lifted yet",
                        stopped().job(Jobs.convert().said(READY, ARMED, STOPPED, CONVERTED)),
                        Phase.REWRITING,
                        "Rewriting",
                        NOTHING),
                Case.of(
                        "converted, and declared otherwise: the way forward is the shortest",
                        stopped()
                                .state(DesiredState.DISABLED)
                                .job(Jobs.convert().said(READY, ARMED, STOPPED, CONVERTED)),
                        Phase.REWRITING,
                        "Rewriting",
                        NOTHING),
                Case.of(
                        "converted, lifting failed",
                        stopped()
                                .job(Jobs.convert()
                                        .said(READY, ARMED, STOPPED, CONVERTED)
                                        .failed("LiftFailed", false)),
                        Phase.STARTING,
                        "LiftFailed",
                        GIVE_UP),
                Case.of(
                        "lifted, the pod is held",
                        converted().workload(w -> w.held().deleting(NOW).ended()),
                        Phase.STARTING,
                        "Releasing",
                        Decision.Release.class),
                Case.of(
                        "done, by the termination message alone",
                        stopped()
                                .workload(w -> w.held().deleting(NOW).ended())
                                .job(Jobs.convert().said(DONE).ended(0)),
                        Phase.STARTING,
                        "Releasing",
                        Decision.Release.class),
                Case.of(
                        "released, the next pod starts",
                        converted()
                                .serverMissing("Unreachable")
                                .workload(w -> w.uid("uid-pod-2").notReady().created(NOW)),
                        Phase.STARTING,
                        "Starting",
                        NOTHING,
                        says("message of Unreachable")),
                Case.of(
                        "released, and scaled to 0 by somebody",
                        converted()
                                .serverMissing("Unreachable")
                                .workload(w -> w.noPod().replicas(0)),
                        Phase.STARTING,
                        "Starting",
                        NOTHING,
                        says("scaled to 0")),
                Case.of(
                        "the next pod met the interlock",
                        converted().workload(w -> w.uid("uid-pod-2").crashing().created(NOW.minusSeconds(5))),
                        Phase.STARTING,
                        "Restarting",
                        Decision.RestartPod.class),
                Case.of(
                        "the workload cannot be seen for a moment",
                        converted().workloadMissing("ApiUnavailable"),
                        Phase.STARTING,
                        "ApiUnavailable",
                        NOTHING),
                Case.of(
                        "the workload has gone",
                        converted().workloadMissing("WorkloadNotFound"),
                        Phase.STARTING,
                        "WorkloadNotFound",
                        GIVE_UP),
                Case.of(
                        "deleted before the server came",
                        converted()
                                .deleting()
                                .workload(w -> w.uid("uid-pod-2").notReady().created(NOW)),
                        Phase.STARTING,
                        "Deleted",
                        GIVE_UP),
                Case.of(
                        "the server says so",
                        converted().server(s -> s.checksums(ChecksumState.ON)),
                        Phase.CONVERGED,
                        "Converged",
                        Decision.Complete.class,
                        v -> assertThat(((Decision.Complete) v.decision()).result())
                                .satisfies(r -> {
                                    assertThat(r.from()).isEqualTo(ObservedState.OFF);
                                    assertThat(r.to()).isEqualTo(ObservedState.ON);
                                    assertThat(r.outage()).isEqualTo("5s");
                                    assertThat(r.attempts()).isEqualTo(1);
                                })),
                Case.of(
                        "the server says so, and it is suspended",
                        converted().suspended().server(s -> s.checksums(ChecksumState.ON)),
                        Phase.SUSPENDED,
                        "Converged",
                        Decision.Complete.class),
                Case.of(
                        "the server says so, and it is declared otherwise",
                        converted().state(DesiredState.DISABLED).server(s -> s.checksums(ChecksumState.ON)),
                        Phase.STARTING,
                        "StateFlipped",
                        Decision.Complete.class),
                Case.of(
                        "the server serves, and the line came back",
                        converted().server(s -> s.checksums(ChecksumState.ON).interlock(true)),
                        Phase.STARTING,
                        "Lifting",
                        Decision.LiftBySql.class),
                Case.of(
                        "the server says otherwise",
                        converted().server(s -> {}),
                        Phase.STARTING,
                        "ServerDisagrees",
                        GIVE_UP));
    }

    @ParameterizedTest
    @MethodSource("convertedByTheJob")
    void transition(Case row) {
        row.verify();
    }

    private static Consumer<Verdict> says(String words) {
        return v -> assertThat(v.message()).contains(words);
    }
}

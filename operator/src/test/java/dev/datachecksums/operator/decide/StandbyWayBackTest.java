package dev.datachecksums.operator.decide;

import static dev.datachecksums.operator.decide.Observations.NOW;
import static dev.datachecksums.operator.decide.Observations.TRY;
import static dev.datachecksums.operator.decide.Observations.atRest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.ObservedState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.Step;
import dev.datachecksums.operator.postgres.ChecksumState;
import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A try by a copy that is given up: what is special about its end. */
class StandbyWayBackTest {
    private static final String KILLED = "JobFailed: it was killed";
    private static final Class<? extends Decision> NOTHING = Decision.Nothing.class;

    private static Observations back(String why, @Nullable Instant restored, Step... more) {
        ConversionStatus c = new ConversionStatus(
                TRY,
                DesiredState.ENABLED,
                ConversionMethod.TEMPORARY_STANDBY,
                NOW.minusSeconds(600).toString(),
                Workloads.POD,
                Workloads.POD_UID,
                300_000_000L,
                NOW.minusSeconds(9).toString(),
                restored == null ? null : restored.toString(),
                why);
        return atRest().finalizer(true)
                .conversion(c)
                .workload(w -> w.uid("uid-pod-2"))
                .job(Jobs.convert()
                        .said(Step.READY, Step.ARMED, Step.STOPPED)
                        .said(more)
                        .ended(137))
                .job(Jobs.lift(1)
                        .created(NOW.minusSeconds(5))
                        .said(Step.LIFTED, Step.CLEANED)
                        .ended(0));
    }

    private static Observations serves(String why, @Nullable Instant restored, ChecksumState says, Step... more) {
        return back(why, restored, more).server(s -> s.checksums(says).started(NOW));
    }

    private static Observations deletedAndDown(Instant at) {
        return back(KILLED, null)
                .deleting()
                .at(at)
                .serverMissing(Observation.STOPPED)
                .workload(Workloads::noPod);
    }

    static Stream<Arguments> ends() {
        return Stream.of(
                Case.of(
                        "not swapped",
                        serves(KILLED, null, ChecksumState.OFF),
                        Phase.WAITING,
                        "JobFailed",
                        Decision.EndTry.class),
                Case.of(
                        "swapped all the same, and the server serves",
                        serves(KILLED, null, ChecksumState.ON),
                        Phase.STARTING,
                        "JobFailed",
                        Decision.NoteRestored.class),
                Case.of(
                        "swapped all the same, and everything is tidy",
                        serves(KILLED, NOW.minusSeconds(2), ChecksumState.ON),
                        Phase.CONVERGED,
                        "Converged",
                        Decision.Complete.class,
                        v -> {
                            LastConversion last = ((Decision.Complete) v.decision()).result();
                            assertThat(last.from()).isEqualTo(ObservedState.OFF);
                            assertThat(last.method()).isEqualTo(ConversionMethod.TEMPORARY_STANDBY);
                            assertThat(last.outage()).isEqualTo("7s");
                        }),
                Case.of(
                        "remains of a conversion that may have been over for long",
                        serves("RemainsFound: a slot", null, ChecksumState.ON),
                        Phase.WAITING,
                        "RemainsFound",
                        Decision.EndTry.class),
                Case.of(
                        "remains, among them a Job that says that it has swapped",
                        serves("RemainsFound: a Job", NOW.minusSeconds(2), ChecksumState.ON, Step.SWAPPED),
                        Phase.CONVERGED,
                        "Converged",
                        Decision.Complete.class),
                Case.of(
                        "deleted, and the next pod is about to come",
                        deletedAndDown(NOW.plusSeconds(10)),
                        Phase.STARTING,
                        "JobFailed",
                        NOTHING),
                Case.of(
                        "deleted, and no pod has come for long",
                        deletedAndDown(NOW.plusSeconds(130)),
                        Phase.WAITING,
                        "JobFailed",
                        Decision.EndTry.class),
                Case.of(
                        "the workload has gone, and its last pod still answers",
                        back(KILLED, null)
                                .server(s -> s.started(NOW).standbySlot(true))
                                .workloadMissing("WorkloadNotFound"),
                        Phase.STARTING,
                        "JobFailed",
                        Decision.DropSlot.class));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void transition(Case row) {
        row.verify();
    }
}

package dev.datachecksums.operator.decide;

import static dev.datachecksums.operator.decide.Observations.NOW;
import static dev.datachecksums.operator.decide.Observations.atRest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.offline.Step;
import dev.datachecksums.operator.postgres.ChecksumState;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The transitions at rest where something of ours is left, and those of a resource that is deleted. */
class RemainsTest {

    private static final Class<Decision.Nothing> NOTHING = Decision.Nothing.class;

    private static Observations on() {
        return atRest().server(s -> s.checksums(ChecksumState.ON));
    }

    static Stream<Arguments> remains() {
        return Stream.of(
                Case.of(
                        "an ended Job",
                        on().job(Jobs.convert().ended(0)),
                        Phase.PENDING,
                        "RemovingJob",
                        Decision.DeleteJob.class),
                Case.of(
                        "an ended Job whose pod has gone",
                        on().job(Jobs.convert().noPod().finished()),
                        Phase.PENDING,
                        "RemovingJob",
                        Decision.DeleteJob.class),
                Case.of(
                        "a Job that is going",
                        on().job(Jobs.convert().deleting()),
                        Phase.CONVERGED,
                        "Converged",
                        NOTHING),
                Case.of(
                        "a running Job",
                        on().job(Jobs.convert()),
                        Phase.STARTING,
                        "RemainsFound",
                        Decision.AdoptRemains.class,
                        v -> assertThat(adopted(v).id()).isEqualTo(Observations.TRY)),
                Case.of(
                        "the interlock's line in a server that serves",
                        on().server(s -> s.checksums(ChecksumState.ON).interlock(true)),
                        Phase.STARTING,
                        "RemainsFound",
                        Decision.AdoptRemains.class),
                Case.of(
                        "the interlock in the log of a server that does not come up",
                        atRest().serverMissing("Unreachable")
                                .workload(w -> w.crashing().interlockInLog()),
                        Phase.STARTING,
                        "RemainsFound",
                        Decision.AdoptRemains.class),
                Case.of(
                        "the interlock in the log of a server that answers, and is not ready yet",
                        on().workload(w -> w.crashing().interlockInLog()),
                        Phase.CONVERGED,
                        "Converged",
                        NOTHING),
                Case.of(
                        "a held pod",
                        atRest().serverMissing("Unreachable")
                                .workload(w -> w.held().deleting(NOW)),
                        Phase.STARTING,
                        "RemainsFound",
                        Decision.AdoptRemains.class,
                        v -> {
                            assertThat(adopted(v).podUid()).isEqualTo(Workloads.POD_UID);
                            assertThat(GivingUp.of(adopted(v)).map(GivingUp::counts))
                                    .contains(false);
                        }),
                Case.of(
                        "a held pod and an ended lift Job",
                        atRest().job(Jobs.lift(1).ended(0)).workload(Workloads::held),
                        Phase.STARTING,
                        "RemainsFound",
                        Decision.AdoptRemains.class,
                        v -> assertThat(adopted(v).id())
                                .isNotEqualTo(Jobs.lift(1).build().name())),
                Case.of(
                        "of a server that is down, with no Job left to tell the road by",
                        atRest().serverMissing("Unreachable")
                                .workload(w -> w.crashing().interlockInLog()),
                        Phase.STARTING,
                        "RemainsFound",
                        Decision.AdoptRemains.class,
                        v -> assertThat(adopted(v).method()).isEqualTo(ConversionMethod.TEMPORARY_STANDBY)),
                Case.of(
                        "of a server that is down, and the Job tells the road",
                        atRest().serverMissing("Unreachable")
                                .job(Jobs.convert().said(Step.READY, Step.ARMED).ended(137))
                                .workload(w -> w.crashing().interlockInLog()),
                        Phase.STARTING,
                        "RemainsFound",
                        Decision.AdoptRemains.class,
                        v -> assertThat(adopted(v).method()).isEqualTo(ConversionMethod.IN_PLACE)),
                Case.of(
                        "an ended Job that could not lift, and the server is down",
                        atRest().serverMissing("Unreachable").job(Jobs.lift(1).failed("LiftFailed", false)),
                        Phase.STARTING,
                        "RemainsFound",
                        Decision.AdoptRemains.class,
                        v -> assertThat(adopted(v).id()).isNotEqualTo(Observations.TRY)),
                Case.of(
                        "an ended Job that has lifted, and the server is down",
                        atRest().serverMissing("Unreachable").job(Jobs.convert().failed("NotClean", true)),
                        Phase.PENDING,
                        "RemovingJob",
                        Decision.DeleteJob.class),
                Case.of(
                        "suspended, and a held pod",
                        atRest().suspended().workload(Workloads::held),
                        Phase.STARTING,
                        "RemainsFound",
                        Decision.AdoptRemains.class),
                Case.of(
                        "deleted, and a held pod",
                        atRest().deleting().finalizer(true).workload(Workloads::held),
                        Phase.STARTING,
                        "RemainsFound",
                        Decision.AdoptRemains.class));
    }

    static Stream<Arguments> deletion() {
        return Stream.of(
                Case.of("nothing of ours", atRest().deleting(), Phase.PENDING, "NothingToRestore", NOTHING),
                Case.of(
                        "our finalizer",
                        atRest().deleting().finalizer(true),
                        Phase.PENDING,
                        "NothingToRestore",
                        Decision.RemoveFinalizer.class),
                Case.of(
                        "our finalizer, and the server cannot be asked",
                        atRest().deleting().finalizer(true).serverMissing("Unreachable"),
                        Phase.PENDING,
                        "NothingToRestore",
                        Decision.RemoveFinalizer.class),
                Case.of(
                        "our finalizer, and the pod has just been made",
                        atRest().deleting()
                                .finalizer(true)
                                .serverMissing("Unreachable")
                                .workload(w -> w.created(NOW.minusSeconds(20))),
                        Phase.PENDING,
                        "PodComesUp",
                        NOTHING,
                        v -> assertThat(v.until()).contains(NOW.plusSeconds(2))),
                Case.of(
                        "our finalizer, and there is no pod yet",
                        atRest().deleting()
                                .finalizer(true)
                                .serverMissing("Unreachable")
                                .workload(Workloads::noPod),
                        Phase.PENDING,
                        "PodMissing",
                        NOTHING,
                        v -> assertThat(v.message())
                                .contains(
                                        "StatefulSet orders-db",
                                        "quota",
                                        "the finalizer datachecksums.dev/restore by hand",
                                        "data_checksums_conversion_in_progress",
                                        "pg_wal.dck")),
                Case.of(
                        "our finalizer, there is no pod, and none will be for as long as one likes",
                        atRest().deleting()
                                .finalizer(true)
                                .serverMissing("Unreachable")
                                .at(NOW.plus(Duration.ofDays(30)))
                                .workload(Workloads::noPod),
                        Phase.PENDING,
                        "PodMissing",
                        NOTHING),
                Case.of(
                        "our finalizer, and there is to be no pod",
                        atRest().deleting()
                                .finalizer(true)
                                .serverMissing("Unreachable")
                                .workload(w -> w.noPod().replicas(0)),
                        Phase.PENDING,
                        "NothingToRestore",
                        Decision.RemoveFinalizer.class),
                Case.of(
                        "our finalizer, and the workload has gone",
                        atRest().deleting().finalizer(true).workloadMissing("WorkloadNotFound"),
                        Phase.PENDING,
                        "NothingToRestore",
                        Decision.RemoveFinalizer.class),
                Case.of(
                        "our finalizer, and the workload cannot be seen now",
                        atRest().deleting().finalizer(true).workloadMissing("ApiUnavailable"),
                        Phase.PENDING,
                        "ApiUnavailable",
                        NOTHING),
                Case.of(
                        "our finalizer, and another resource is older",
                        atRest().deleting().finalizer(true).conflict("shop/older"),
                        Phase.PENDING,
                        "NothingToRestore",
                        Decision.RemoveFinalizer.class),
                Case.of(
                        "our finalizer without a conversion: the operator died as it began one",
                        on().finalizer(true),
                        Phase.PENDING,
                        "NothingToRestore",
                        Decision.RemoveFinalizer.class));
    }

    @ParameterizedTest
    @MethodSource({"remains", "deletion"})
    void transition(Case row) {
        row.verify();
    }

    private static ConversionStatus adopted(Verdict v) {
        return ((Decision.AdoptRemains) v.decision()).conversion();
    }
}

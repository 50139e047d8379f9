package dev.datachecksums.operator.decide;

import static dev.datachecksums.operator.decide.Observations.NOW;
import static dev.datachecksums.operator.decide.Observations.TRY;
import static dev.datachecksums.operator.decide.Observations.atRest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.api.v1alpha1.WindowScope;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.SessionFacts;
import dev.datachecksums.operator.offline.Step;
import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerFacts.RunningBackup;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Transitions of a try by a copy, where they differ from one in place. The time is 20:00 UTC. */
class StandbyTest {
    private static final Class<? extends Decision> NOTHING = Decision.Nothing.class;
    private static final Class<? extends Decision> GIVE_UP = Decision.GiveUp.class;

    private static ConversionStatus conversion(@Nullable Instant stopped, @Nullable Instant restored) {
        return new ConversionStatus(
                TRY,
                DesiredState.ENABLED,
                ConversionMethod.TEMPORARY_STANDBY,
                NOW.minusSeconds(600).toString(),
                Workloads.POD,
                Workloads.POD_UID,
                300_000_000L,
                stopped == null ? null : stopped.toString(),
                restored == null ? null : restored.toString(),
                null);
    }

    private static Observations wanted() {
        return atRest().strategy(OfflineStrategy.TEMPORARY_STANDBY).standby(s -> {});
    }

    private static Observations copying(Step... said) {
        return wanted().finalizer(true)
                .conversion(conversion(null, null))
                .job(Jobs.convert().created(NOW.minusSeconds(60)).said(said));
    }

    private static Observations ready() {
        return copying(
                Step.STARTED,
                Step.COPYING,
                Step.COPIED,
                Step.RECOVERED,
                Step.CONVERTING,
                Step.COPYCONVERTED,
                Step.READY);
    }

    private static Observations swapped(@Nullable Instant restored, Jobs job) {
        return wanted().finalizer(true)
                .conversion(conversion(NOW.minusSeconds(9), restored))
                .server(s -> s.checksums(ChecksumState.ON).started(NOW.minusSeconds(2)))
                .job(job);
    }

    static Stream<Arguments> beginning() {
        return Stream.of(
                Case.of("all is well", wanted(), Phase.CONVERTING, "Preparing", Decision.BeginOffline.class, v -> {
                    Decision.BeginOffline begin = (Decision.BeginOffline) v.decision();
                    assertThat(begin.conversion().method()).isEqualTo(ConversionMethod.TEMPORARY_STANDBY);
                    assertThat(begin.conversion().id()).endsWith("-copy");
                }),
                Case.of("no room", wanted().standby(s -> s.free(1L << 30)), Phase.BLOCKED, "RoomForCopy", NOTHING),
                Case.of(
                        "the window opens in half an hour",
                        wanted().window("30 20 * * *", "1h", "UTC"),
                        Phase.CONVERTING,
                        "Preparing",
                        Decision.BeginOffline.class),
                Case.of(
                        "the window opens in two hours",
                        wanted().window("0 22 * * *", "1h", "UTC"),
                        Phase.WAITING,
                        "WindowClosed",
                        NOTHING,
                        v -> assertThat(v.until()).contains(NOW.plusSeconds(3600))),
                Case.of(
                        "a window for all of it opens in half an hour",
                        wanted().scope(WindowScope.CONVERSION).window("30 20 * * *", "1h", "UTC"),
                        Phase.WAITING,
                        "WindowClosed",
                        NOTHING,
                        v -> assertThat(v.until()).contains(NOW.plusSeconds(1800))));
    }

    static Stream<Arguments> preparing() {
        return Stream.of(
                Case.of("it copies", copying(Step.STARTED, Step.COPYING), Phase.CONVERTING, "Copying", NOTHING),
                Case.of(
                        "it has said nothing for too long",
                        wanted().finalizer(true)
                                .conversion(conversion(null, null))
                                .job(Jobs.convert()
                                        .created(NOW.minusSeconds(1000))
                                        .said(Step.STARTED, Step.COPYING)),
                        Phase.STARTING,
                        "JobSilent",
                        GIVE_UP),
                Case.of(
                        "its clock, and the API server's, are an hour behind the operator's",
                        wanted().finalizer(true)
                                .conversion(conversion(null, null))
                                .job(Jobs.convert()
                                        .created(NOW.minusSeconds(3609))
                                        .asked(NOW.minusSeconds(9))
                                        .said(Step.STARTED, Step.COPYING)),
                        Phase.CONVERTING,
                        "Copying",
                        NOTHING),
                Case.of(
                        "the policy wants it in place",
                        copying(Step.STARTED, Step.COPYING).strategy(OfflineStrategy.IN_PLACE),
                        Phase.STARTING,
                        "StrategyChanged",
                        GIVE_UP),
                Case.of("suspended", copying(Step.COPYING).suspended(), Phase.STARTING, "Suspended", GIVE_UP),
                Case.of("ready", ready(), Phase.CONVERTING, "Preparing", Decision.HoldSession.class),
                Case.of(
                        "ready, and the window is closed",
                        ready().window("30 20 * * *", "1h", "UTC"),
                        Phase.WAITING,
                        "WindowClosed",
                        NOTHING,
                        v -> assertThat(v.until()).contains(NOW.plusSeconds(1800))),
                Case.of(
                        "ready, and a backup runs",
                        ready().server(s -> s.backups(Answer.given(List.of(new RunningBackup(7, "b", "streams"))))),
                        Phase.WAITING,
                        "BackupRunning",
                        NOTHING),
                Case.of(
                        "ready, and the copy has taken the room for another",
                        ready().standby(s -> s.free((1L << 30) * 6 + 1)),
                        Phase.CONVERTING,
                        "Preparing",
                        Decision.HoldSession.class),
                Case.of(
                        "ready, and an unlogged table came up",
                        ready().standby(s -> s.unlogged(Answer.given(List.of("1 in database shop")))),
                        Phase.STARTING,
                        "GateClosed",
                        GIVE_UP),
                Case.of(
                        "ready, and the session is",
                        ready().session(SessionFacts.State.READY),
                        Phase.STOPPING,
                        "Arming",
                        Decision.Arm.class),
                Case.of(
                        "a round of replay is not over when the line is written",
                        ready().interlocked(NOW.minusSeconds(60)),
                        Phase.STOPPING,
                        "Arming",
                        NOTHING));
    }

    static Stream<Arguments> swapped() {
        Jobs working =
                Jobs.convert().said(Step.READY, Step.ARMED, Step.STOPPED, Step.SWAPPED, Step.CONVERTED, Step.LIFTED);
        return Stream.of(
                Case.of(
                        "the server serves",
                        swapped(null, working),
                        Phase.STARTING,
                        "Serving",
                        Decision.NoteRestored.class),
                Case.of("it is tidied up", swapped(NOW.minusSeconds(1), working), Phase.STARTING, "Cleaning", NOTHING),
                Case.of(
                        "the Job was killed before it had tidied up",
                        swapped(
                                NOW.minusSeconds(1),
                                Jobs.convert()
                                        .said(Step.ARMED, Step.STOPPED, Step.SWAPPED, Step.CONVERTED, Step.LIFTED)
                                        .ended(137)),
                        Phase.STARTING,
                        "Cleaning",
                        Decision.LiftByJob.class),
                Case.of(
                        "a slot is left",
                        swapped(
                                        NOW.minusSeconds(1),
                                        Jobs.convert()
                                                .said(
                                                        Step.SWAPPED,
                                                        Step.CONVERTED,
                                                        Step.LIFTED,
                                                        Step.CLEANED,
                                                        Step.DONE))
                                .server(s -> s.checksums(ChecksumState.ON).standbySlot(true)),
                        Phase.STARTING,
                        "Cleaning",
                        Decision.DropSlot.class),
                Case.of(
                        "all is done",
                        swapped(
                                NOW.minusSeconds(1),
                                Jobs.convert()
                                        .said(Step.SWAPPED, Step.CONVERTED, Step.LIFTED, Step.CLEANED, Step.DONE)),
                        Phase.CONVERGED,
                        "Converged",
                        Decision.Complete.class,
                        v -> assertThat(((Decision.Complete) v.decision())
                                        .result()
                                        .outage())
                                .isEqualTo("8s")),
                Case.of(
                        "killed right after the exchange",
                        wanted().finalizer(true)
                                .conversion(conversion(NOW.minusSeconds(2), null))
                                .serverMissing(Observation.STOPPED)
                                .job(Jobs.convert()
                                        .said(Step.ARMED, Step.STOPPED, Step.SWAPPED)
                                        .ended(137)),
                        Phase.STARTING,
                        "Restoring",
                        Decision.LiftByJob.class));
    }

    private static Arguments remains(String given, Observations o) {
        return Case.of(
                given,
                o,
                Phase.STARTING,
                "RemainsFound",
                Decision.AdoptRemains.class,
                v -> assertThat(((Decision.AdoptRemains) v.decision())
                                .conversion()
                                .method())
                        .isEqualTo(ConversionMethod.TEMPORARY_STANDBY));
    }

    private static Observations copy() {
        return atRest().server(s -> s.checksums(ChecksumState.ON).copyDirectory(true));
    }

    static Stream<Arguments> remains() {
        AttemptsStatus inVain = new AttemptsStatus(
                0, GivingUp.REMAINS, "x", NOW.minusSeconds(60).toString(), 1L);
        return Stream.of(
                remains("a slot that nobody remembers", atRest().server(s -> s.standbySlot(true))),
                remains("the directory of a copy that nobody remembers", copy()),
                Case.of(
                        "the directory of a copy that could not be removed a minute ago",
                        copy().tried(inVain),
                        Phase.CONVERGED,
                        "Converged",
                        NOTHING),
                remains(
                        "the directory of a copy that could not be removed a while ago",
                        copy().at(NOW.plusSeconds(541)).tried(inVain)));
    }

    @ParameterizedTest
    @MethodSource({"beginning", "preparing", "swapped", "remains"})
    void transition(Case row) {
        row.verify();
    }
}

package dev.datachecksums.operator.decide;

import static dev.datachecksums.api.v1alpha1.DesiredState.DISABLED;
import static dev.datachecksums.api.v1alpha1.DesiredState.ENABLED;
import static dev.datachecksums.operator.decide.OnlineRuns.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.Blockers;
import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.api.v1alpha1.OnDrift;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.decide.check.Gates;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.online.DiskSpace;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Step;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of transitions of the online road. */
class OnlineRunTest {
    private static final String START = "IPC:ChecksumEnableStartcondition";
    private static final Consumer<Verdict> FAILED_TRY =
            v -> assertThat(((Decision.EndTry) v.decision()).counts()).isTrue();

    static Stream<Arguments> beginnings() {
        return Stream.of(
                row(
                        "case 10: what the server refuses meanwhile is said",
                        server(),
                        Phase.CONVERTING,
                        "Beginning",
                        Decision.BeginOnline.class,
                        v -> assertThat(v.message()).contains("CREATE DATABASE ... STRATEGY file_copy")),
                row(
                        "on, Disabled declared",
                        server().state(ChecksumState.ON).and(o -> o.state(DISABLED)),
                        Phase.CONVERTING,
                        "Beginning",
                        Decision.BeginOnline.class),
                row(
                        "no instanceRef",
                        server().and(Observations::external),
                        Phase.CONVERTING,
                        "Beginning",
                        Decision.BeginOnline.class),
                row(
                        "method Online",
                        server().and(o -> o.method(Method.ONLINE)),
                        Phase.CONVERTING,
                        "Beginning",
                        Decision.BeginOnline.class),
                row(
                        "method Offline",
                        server().and(o -> o.method(Method.OFFLINE)),
                        Phase.CONVERTING,
                        "Preparing",
                        Decision.BeginOffline.class),
                row(
                        "suspended",
                        server().and(Observations::suspended),
                        Phase.SUSPENDED,
                        "Suspended",
                        Decision.Nothing.class),
                row(
                        "drifted, Report",
                        server().and(o -> o.onDrift(OnDrift.REPORT).convergedState(ENABLED)),
                        Phase.DRIFTED,
                        "Drifted",
                        Decision.Nothing.class),
                row(
                        "somebody enables already",
                        server().state(ChecksumState.INPROGRESS_ON).working().oldTransaction(4, Duration.ofHours(1)),
                        Phase.CONVERTING,
                        "Beginning",
                        Decision.BeginOnline.class),
                row(
                        "left halfway to off",
                        server().state(ChecksumState.INPROGRESS_OFF),
                        Phase.CONVERTING,
                        "Beginning",
                        Decision.BeginOnline.class),
                row(
                        "left halfway to off, Disabled",
                        server().state(ChecksumState.INPROGRESS_OFF).and(o -> o.state(DISABLED)),
                        Phase.CONVERTING,
                        "Beginning",
                        Decision.BeginOnline.class),
                row(
                        "case 18: one worker slot",
                        server().workers(7),
                        Phase.BLOCKED,
                        "WorkerSlots",
                        Decision.Nothing.class),
                row(
                        "one worker slot, Disabled",
                        server().state(ChecksumState.ON).workers(7).and(o -> o.state(DISABLED)),
                        Phase.CONVERTING,
                        "Beginning",
                        Decision.BeginOnline.class),
                row(
                        "an invalid database",
                        server().invalidDatabase(),
                        Phase.BLOCKED,
                        "InvalidDatabases",
                        Decision.Nothing.class),
                row(
                        "an old transaction",
                        server().oldTransaction(4, Duration.ofMinutes(11)),
                        Phase.WAITING,
                        "OldTransactions",
                        Decision.Nothing.class),
                row(
                        "a transaction that is not that old",
                        server().oldTransaction(4, Duration.ofMinutes(9)),
                        Phase.CONVERTING,
                        "Beginning",
                        Decision.BeginOnline.class),
                row(
                        "an old transaction that will be ended",
                        server().oldTransaction(4, Duration.ofMinutes(11)).policy("0ms", 100, null, Blockers.TERMINATE),
                        Phase.CONVERTING,
                        "Beginning",
                        Decision.BeginOnline.class),
                row(
                        "an old temporary table",
                        server().temporaryTable(4, Duration.ofMinutes(11)),
                        Phase.WAITING,
                        "TempTables",
                        Decision.Nothing.class),
                row(
                        "a replica far behind",
                        server().replica(2L << 30).policy("0ms", 100, "1Gi", Blockers.WAIT),
                        Phase.WAITING,
                        "ReplicaLag",
                        Decision.Nothing.class),
                row(
                        "a full volume",
                        server().space(new DiskSpace(10L << 30, 600L << 20)),
                        Phase.BLOCKED,
                        "WalHeadroom",
                        Decision.Nothing.class),
                row(
                        "a volume of unknown size",
                        server().space(null),
                        Phase.CONVERTING,
                        "Beginning",
                        Decision.BeginOnline.class),
                row("not asked", server().unseen(), Phase.WAITING, "OnlineFactsKnown", Decision.Nothing.class),
                row(
                        "case 2: no superuser, whatever was granted",
                        server().and(o -> o.server(s -> s.functions().noSuperuser())),
                        Phase.BLOCKED,
                        "Superuser",
                        Decision.Nothing.class),
                row(
                        "a window that closes too soon for all of it",
                        server().policy("10s", 1, null, Blockers.WAIT).and(o -> o.window("0 * * * *", "1h", "UTC")),
                        Phase.BLOCKED,
                        "InWindow",
                        Decision.Nothing.class),
                row(
                        "days, and no window",
                        server().policy("10s", 1, null, Blockers.WAIT),
                        Phase.CONVERTING,
                        "ThrottleTooTight",
                        Decision.BeginOnline.class,
                        v -> assertThat(v.plan().orElseThrow().reason()).contains("days")),
                row(
                        "a closed window",
                        server().and(o -> o.window("0 3 * * *", "1h", "UTC")),
                        Phase.WAITING,
                        "WindowClosed",
                        Decision.Nothing.class),
                row(
                        "back-off after a failed try",
                        server().and(o -> o.tried(1, OnlineRuns.NOW.minusSeconds(3))),
                        Phase.WAITING,
                        "BackOff",
                        Decision.Nothing.class),
                row(
                        "three failed tries",
                        server().and(o -> o.tried(3, OnlineRuns.NOW.minusSeconds(300))),
                        Phase.FAILED,
                        "AttemptsExhausted",
                        Decision.Nothing.class),
                row(
                        "on as declared",
                        server().state(ChecksumState.ON),
                        Phase.CONVERGED,
                        "Converged",
                        Decision.Nothing.class));
    }

    static Stream<Arguments> runs() {
        OnlineRuns waiting = server().under(ENABLED, 700)
                .state(ChecksumState.INPROGRESS_ON)
                .launcher(Step.ENABLING, START)
                .oldTransaction(4, Duration.ofHours(1));
        return Stream.of(
                row(
                        "not called yet",
                        server().under(ENABLED, null),
                        Phase.CONVERTING,
                        "Calling",
                        Decision.EnableOnline.class),
                row(
                        "not called yet, Disabled",
                        server().state(ChecksumState.ON).under(DISABLED, null).and(o -> o.state(DISABLED)),
                        Phase.CONVERTING,
                        "Calling",
                        Decision.DisableOnline.class),
                row("just called", server().under(ENABLED, 1), Phase.CONVERTING, "Converting", Decision.Nothing.class),
                row(
                        "under way",
                        server().under(ENABLED, 100)
                                .state(ChecksumState.INPROGRESS_ON)
                                .working(),
                        Phase.CONVERTING,
                        "Converting",
                        Decision.Nothing.class),
                row(
                        "on",
                        server().under(ENABLED, 100).state(ChecksumState.ON),
                        Phase.CONVERGED,
                        "Converged",
                        Decision.Complete.class,
                        v -> assertThat(((Decision.Complete) v.decision())
                                        .result()
                                        .method())
                                .isEqualTo(ConversionMethod.ONLINE)),
                row(
                        "off",
                        server().under(DISABLED, 100).and(o -> o.state(DISABLED)),
                        Phase.CONVERGED,
                        "Converged",
                        Decision.Complete.class),
                row(
                        "off, but a launcher is about to enable",
                        server().working().under(DISABLED, 1).and(o -> o.state(DISABLED)),
                        Phase.CONVERTING,
                        "Converting",
                        Decision.Nothing.class),
                row(
                        "on, but a launcher is disabling",
                        server().state(ChecksumState.ON)
                                .launcher(Step.DISABLING, null)
                                .under(ENABLED, 1),
                        Phase.CONVERTING,
                        "Converting",
                        Decision.Nothing.class),
                row(
                        "case 11: restarted",
                        server().under(ENABLED, 100).restarted(),
                        Phase.WAITING,
                        "ServerRestarted",
                        Decision.EndTry.class,
                        FAILED_TRY),
                row(
                        "case 9: nobody at work any more",
                        server().under(ENABLED, 100),
                        Phase.WAITING,
                        "RunAborted",
                        Decision.EndTry.class,
                        FAILED_TRY),
                row(
                        "case 14: stuck halfway to off",
                        server().state(ChecksumState.INPROGRESS_OFF)
                                .under(DISABLED, 100)
                                .and(o -> o.state(DISABLED)),
                        Phase.CONVERTING,
                        "DisableStuck",
                        Decision.DisableOnline.class),
                row(
                        "flipped to Disabled",
                        server().under(ENABLED, 100)
                                .state(ChecksumState.INPROGRESS_ON)
                                .working()
                                .and(o -> o.state(DISABLED)),
                        Phase.CONVERTING,
                        "StateFlipped",
                        Decision.DisableOnline.class),
                row(
                        "flipped to Disabled before its launcher was seen",
                        server().under(ENABLED, 1).and(o -> o.state(DISABLED)),
                        Phase.CONVERTING,
                        "StateFlipped",
                        Decision.DisableOnline.class),
                row(
                        "flipped to Enabled",
                        server().under(DISABLED, 1)
                                .state(ChecksumState.INPROGRESS_OFF)
                                .launcher(Step.DISABLING, null),
                        Phase.CONVERTING,
                        "StateFlipped",
                        Decision.EnableOnline.class),
                row(
                        "suspended",
                        server().under(ENABLED, 100)
                                .state(ChecksumState.INPROGRESS_ON)
                                .working()
                                .and(Observations::suspended),
                        Phase.CONVERTING,
                        "Suspended",
                        Decision.GiveUp.class),
                row(
                        "suspended while disabling",
                        server().under(DISABLED, 1)
                                .state(ChecksumState.INPROGRESS_OFF)
                                .launcher(Step.DISABLING, null)
                                .and(o -> o.state(DISABLED).suspended()),
                        Phase.CONVERTING,
                        "Converting",
                        Decision.Nothing.class),
                row(
                        "an old transaction that may end in a moment",
                        waiting,
                        Phase.CONVERTING,
                        "Converting",
                        Decision.Nothing.class),
                row(
                        "case 7: an old transaction",
                        server().under(ENABLED, 700)
                                .state(ChecksumState.INPROGRESS_ON)
                                .launcher(Step.ENABLING, START)
                                .oldTransaction(4, Duration.ofHours(1))
                                .stoodFor(Duration.ofSeconds(2)),
                        Phase.CONVERTING,
                        "OldTransaction",
                        Decision.Nothing.class,
                        v -> assertThat(v.stalled()).isFalse()),
                row(
                        "it has stood too long",
                        server().under(ENABLED, 700)
                                .state(ChecksumState.INPROGRESS_ON)
                                .launcher(Step.ENABLING, START)
                                .oldTransaction(4, Duration.ofHours(1))
                                .stoodFor(Duration.ofMinutes(10)),
                        Phase.CONVERTING,
                        "OldTransaction",
                        Decision.Nothing.class,
                        v -> assertThat(v.stalled()).isTrue()),
                row(
                        "and is ended",
                        server().under(ENABLED, 700)
                                .state(ChecksumState.INPROGRESS_ON)
                                .launcher(Step.ENABLING, START)
                                .oldTransaction(4, Duration.ofHours(1))
                                .stoodFor(Duration.ofMinutes(10))
                                .policy("0ms", 100, null, Blockers.TERMINATE),
                        Phase.CONVERTING,
                        "BlockersTerminated",
                        Decision.TerminateBlockers.class,
                        v -> assertThat(((Decision.TerminateBlockers) v.decision()).sessions())
                                .extracting(s -> s.pid())
                                .containsExactly(4)),
                row(
                        "but not within its grace",
                        server().under(ENABLED, 700)
                                .state(ChecksumState.INPROGRESS_ON)
                                .launcher(Step.ENABLING, START)
                                .oldTransaction(4, Duration.ofHours(1))
                                .stoodFor(Duration.ofMinutes(9))
                                .policy("0ms", 100, null, Blockers.TERMINATE),
                        Phase.CONVERTING,
                        "OldTransaction",
                        Decision.Nothing.class),
                row(
                        "no counter moves",
                        server().under(ENABLED, 700)
                                .state(ChecksumState.INPROGRESS_ON)
                                .working()
                                .stoodFor(Duration.ofMinutes(10)),
                        Phase.CONVERTING,
                        "NoProgress",
                        Decision.Nothing.class,
                        v -> assertThat(v.stalled()).isTrue()),
                row(
                        "case 17: another throttle",
                        server().under(ENABLED, 100)
                                .state(ChecksumState.INPROGRESS_ON)
                                .working()
                                .policy("20ms", 100, null, Blockers.WAIT),
                        Phase.CONVERTING,
                        "Retuned",
                        Decision.Retune.class),
                row(
                        "case 20: a replica falls behind",
                        server().under(ENABLED, 100)
                                .state(ChecksumState.INPROGRESS_ON)
                                .working()
                                .replica(2L << 30)
                                .policy("0ms", 100, "1Gi", Blockers.WAIT),
                        Phase.CONVERTING,
                        "ThrottleTightened",
                        Decision.Retune.class),
                row(
                        "case 21: the volume fills",
                        server().under(ENABLED, 100)
                                .state(ChecksumState.INPROGRESS_ON)
                                .working()
                                .space(new DiskSpace(100L << 30, 1L << 30)),
                        Phase.CONVERTING,
                        "WalSpaceLow",
                        Decision.GiveUp.class),
                row(
                        "being given up, still at work",
                        server().givingUp(ENABLED, "WalSpaceLow: full")
                                .state(ChecksumState.INPROGRESS_ON)
                                .working(),
                        Phase.CONVERTING,
                        "WalSpaceLow",
                        Decision.DisableOnline.class),
                row(
                        "being given up, on its way",
                        server().givingUp(ENABLED, "WalSpaceLow: full")
                                .state(ChecksumState.INPROGRESS_OFF)
                                .launcher(Step.DISABLING, null),
                        Phase.CONVERTING,
                        "WalSpaceLow",
                        Decision.Nothing.class),
                row(
                        "being given up, stuck",
                        server().givingUp(ENABLED, "WalSpaceLow: full").state(ChecksumState.INPROGRESS_OFF),
                        Phase.CONVERTING,
                        "WalSpaceLow",
                        Decision.DisableOnline.class),
                row(
                        "given up",
                        server().givingUp(ENABLED, "WalSpaceLow: full"),
                        Phase.WAITING,
                        "WalSpaceLow",
                        Decision.EndTry.class,
                        FAILED_TRY),
                row(
                        "given up for suspend",
                        server().givingUp(ENABLED, "Suspended: asked"),
                        Phase.WAITING,
                        "Suspended",
                        Decision.EndTry.class,
                        v -> assertThat(((Decision.EndTry) v.decision()).counts())
                                .isFalse()),
                row(
                        "deleted",
                        server().under(ENABLED, 100).and(Observations::deleting),
                        Phase.CONVERTING,
                        "Deleted",
                        Decision.Nothing.class),
                row(
                        "an older resource",
                        server().under(ENABLED, 100).and(o -> o.conflict("shop/other")),
                        Phase.WAITING,
                        "Conflict",
                        Decision.EndTry.class,
                        v -> assertThat(((Decision.EndTry) v.decision()).counts())
                                .isFalse()),
                row(
                        "the server does not answer",
                        server().under(ENABLED, 100).and(o -> o.serverMissing("TimedOut")),
                        Phase.CONVERTING,
                        "Reachable",
                        Decision.Nothing.class),
                row(
                        "its run could not be asked for",
                        server().under(ENABLED, 100).unseen(),
                        Phase.CONVERTING,
                        "TimedOut",
                        Decision.Nothing.class),
                row(
                        "another server without the functions",
                        server().under(ENABLED, 100).and(o -> o.server(s -> s.version(190_000))),
                        Phase.WAITING,
                        "FunctionsGone",
                        Decision.EndTry.class,
                        FAILED_TRY));
    }

    private static Arguments row(
            String given, OnlineRuns server, Phase phase, String reason, Class<? extends Decision> decision) {
        return row(given, server, phase, reason, decision, v -> {});
    }

    private static Arguments row(
            String given,
            OnlineRuns server,
            Phase phase,
            String reason,
            Class<? extends Decision> decision,
            Consumer<Verdict> more) {
        return Arguments.of(given, server, phase, reason, decision, more);
    }

    @ParameterizedTest(name = "{0} -> {2} {3}")
    @MethodSource({"beginnings", "runs"})
    void decides(
            String given,
            OnlineRuns server,
            Phase phase,
            String reason,
            Class<? extends Decision> decision,
            Consumer<Verdict> more) {
        Verdict v = new Decider(Gates.standard()).decide(server.build());
        assertThat(v.reason()).as(given + ": " + v.message()).isEqualTo(reason);
        assertThat(v.phase()).isEqualTo(phase);
        assertThat(v.decision()).isInstanceOf(decision);
        assertThat(v.message()).isNotBlank().doesNotContain("null", "Optional");
        more.accept(v);
    }

    @Test
    void aRunRemembersWhomItCalledAndHow() {
        Verdict v = new Decider(Gates.standard())
                .decide(server().under(ENABLED, null)
                        .policy("20ms", 200, null, Blockers.WAIT)
                        .build());
        Decision.EnableOnline d = (Decision.EnableOnline) v.decision();
        assertThat(d.throttle().costLimit()).isEqualTo(200);
        assertThat(d.conversion().online()).isNotNull().satisfies(r -> {
            assertThat(r.called()).isEqualTo(OnlineRuns.NOW.toString());
            assertThat(r.serverStarted()).isEqualTo(OnlineRuns.STARTED.toString());
            assertThat(r.costDelay()).isEqualTo("20ms");
            assertThat(r.workerBlocks()).isZero();
        });
    }

    /** To the millisecond. */
    @Test
    void aThrottleIsPassedOnOnceAndRemembered() {
        OnlineRuns run = server().under(ENABLED, 100)
                .state(ChecksumState.INPROGRESS_ON)
                .working()
                .policy("2050ms", 100, null, Blockers.WAIT);
        Decision.Retune d = (Decision.Retune)
                new Decider(Gates.standard()).decide(run.build()).decision();
        Verdict next = new Decider(Gates.standard())
                .decide(run.and(o -> o.conversion(d.conversion())).build());
        assertThat(next.decision()).isInstanceOf(Decision.Nothing.class);
    }
}

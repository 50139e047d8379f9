package dev.datachecksums.operator.decide;

import static dev.datachecksums.api.v1alpha1.DesiredState.DISABLED;
import static dev.datachecksums.api.v1alpha1.DesiredState.ENABLED;
import static dev.datachecksums.operator.decide.OnlineRuns.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.Blockers;
import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.api.v1alpha1.OnDrift;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.online.DiskSpace;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whether the online road is taken, before anything is under way. */
class OnlineBeginningTest {

    static Stream<Arguments> begun() {
        return Stream.of(
                begins(
                        "case 10: what the server refuses meanwhile is said",
                        server(),
                        "Beginning",
                        v -> assertThat(v.message()).contains("CREATE DATABASE ... STRATEGY file_copy")),
                begins("on, Disabled declared", server().state(ChecksumState.ON).and(o -> o.state(DISABLED))),
                begins("no instanceRef", server().and(Observations::external)),
                begins("method Online", server().and(o -> o.method(Method.ONLINE))),
                begins(
                        "somebody enables already",
                        server().state(ChecksumState.INPROGRESS_ON).working().oldTransaction(4, Duration.ofHours(1))),
                begins("left halfway to off", server().state(ChecksumState.INPROGRESS_OFF)),
                begins(
                        "left halfway to off, Disabled",
                        server().state(ChecksumState.INPROGRESS_OFF).and(o -> o.state(DISABLED))),
                begins(
                        "one worker slot, Disabled",
                        server().state(ChecksumState.ON).workers(7).and(o -> o.state(DISABLED))),
                begins("a transaction that is not that old", server().oldTransaction(4, Duration.ofMinutes(9))),
                begins(
                        "an old transaction that will be ended",
                        server().oldTransaction(4, Duration.ofMinutes(11))
                                .policy("0ms", 100, null, Blockers.TERMINATE)),
                begins("a volume of unknown size", server().space(null)),
                begins(
                        "days, and no window",
                        server().policy("10s", 1, null, Blockers.WAIT),
                        "ThrottleTooTight",
                        v -> assertThat(v.plan().orElseThrow().reason()).contains("days")));
    }

    static Stream<Arguments> notBegun() {
        return Stream.of(
                stays("suspended", server().and(Observations::suspended), Phase.SUSPENDED, "Suspended"),
                stays(
                        "drifted, Report",
                        server().and(o -> o.onDrift(OnDrift.REPORT).convergedState(ENABLED)),
                        Phase.DRIFTED,
                        "Drifted"),
                stays("case 18: one worker slot", server().workers(7), Phase.BLOCKED, "WorkerSlots"),
                stays("an invalid database", server().invalidDatabase(), Phase.BLOCKED, "InvalidDatabases"),
                stays(
                        "an old transaction",
                        server().oldTransaction(4, Duration.ofMinutes(11)),
                        Phase.WAITING,
                        "OldTransactions"),
                stays(
                        "an old temporary table",
                        server().temporaryTable(4, Duration.ofMinutes(11)),
                        Phase.WAITING,
                        "TempTables"),
                stays(
                        "a replica far behind",
                        server().replica(2L << 30).policy("0ms", 100, "1Gi", Blockers.WAIT),
                        Phase.WAITING,
                        "ReplicaLag"),
                stays(
                        "a full volume",
                        server().space(new DiskSpace(10L << 30, 600L << 20)),
                        Phase.BLOCKED,
                        "WalHeadroom"),
                stays("not asked", server().unseen(), Phase.WAITING, "OnlineFactsKnown"),
                stays(
                        "case 2: no superuser, whatever was granted",
                        server().and(o -> o.server(s -> s.functions().noSuperuser())),
                        Phase.BLOCKED,
                        "Superuser"),
                stays(
                        "a window that closes too soon for all of it",
                        server().policy("10s", 1, null, Blockers.WAIT).and(o -> o.window("0 * * * *", "1h", "UTC")),
                        Phase.BLOCKED,
                        "InWindow"),
                stays(
                        "a closed window",
                        server().and(o -> o.window("0 3 * * *", "1h", "UTC")),
                        Phase.WAITING,
                        "WindowClosed"),
                stays(
                        "back-off after a failed try",
                        server().and(o -> o.tried(1, OnlineRuns.NOW.minusSeconds(3))),
                        Phase.WAITING,
                        "BackOff"),
                stays(
                        "three failed tries",
                        server().and(o -> o.tried(3, OnlineRuns.NOW.minusSeconds(300))),
                        Phase.FAILED,
                        "AttemptsExhausted"),
                stays("on as declared", server().state(ChecksumState.ON), Phase.CONVERGED, "Converged"),
                Case.of(
                        "method Offline",
                        server().and(o -> o.method(Method.OFFLINE)),
                        Phase.CONVERTING,
                        "Preparing",
                        Decision.BeginOffline.class));
    }

    private static Arguments begins(String given, OnlineRuns server) {
        return begins(given, server, "Beginning", v -> {});
    }

    private static Arguments begins(String given, OnlineRuns server, String reason, Consumer<Verdict> more) {
        return Case.of(given, server, Phase.CONVERTING, reason, Decision.BeginOnline.class, more);
    }

    private static Arguments stays(String given, OnlineRuns server, Phase phase, String reason) {
        return Case.of(given, server, phase, reason, Decision.Nothing.class);
    }

    @ParameterizedTest
    @MethodSource({"begun", "notBegun"})
    void decides(Case c) {
        c.verify();
    }
}

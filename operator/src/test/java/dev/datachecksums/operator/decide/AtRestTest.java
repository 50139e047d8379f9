package dev.datachecksums.operator.decide;

import static dev.datachecksums.operator.decide.Observations.NOW;
import static dev.datachecksums.operator.decide.Observations.atRest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.api.v1alpha1.OnDrift;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.decide.check.Gates;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerFacts.RunningBackup;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The transitions while no conversion is under way. */
class AtRestTest {

    private static final Class<Decision.Nothing> NOTHING = Decision.Nothing.class;

    private static Observations on() {
        return atRest().server(s -> s.checksums(ChecksumState.ON));
    }

    static Stream<Arguments> declaredAndFound() {
        return Stream.of(
                Case.of("on, as declared", on(), Phase.CONVERGED, "Converged", NOTHING),
                Case.of(
                        "off, as declared",
                        atRest().state(DesiredState.DISABLED),
                        Phase.CONVERGED,
                        "Converged",
                        NOTHING),
                Case.of("as declared after failed tries", on().tried(3, NOW), Phase.CONVERGED, "Converged", NOTHING),
                Case.of("suspended, as declared", on().suspended(), Phase.SUSPENDED, "Converged", NOTHING),
                Case.of(
                        "suspended, otherwise",
                        atRest().suspended(),
                        Phase.SUSPENDED,
                        "Suspended",
                        NOTHING,
                        v -> assertThat(v.plan()).isPresent()),
                Case.of(
                        "drifted, to be reported",
                        atRest().onDrift(OnDrift.REPORT).convergedState(DesiredState.ENABLED),
                        Phase.DRIFTED,
                        "Drifted",
                        NOTHING),
                Case.of(
                        "drifted, to be corrected",
                        atRest().convergedState(DesiredState.ENABLED),
                        Phase.CONVERTING,
                        "Preparing",
                        Decision.BeginOffline.class),
                Case.of(
                        "declared anew, drift only reported",
                        on().onDrift(OnDrift.REPORT)
                                .state(DesiredState.DISABLED)
                                .convergedState(DesiredState.ENABLED),
                        Phase.CONVERTING,
                        "Preparing",
                        Decision.BeginOffline.class),
                Case.of(
                        "never measured before",
                        atRest().onDrift(OnDrift.REPORT),
                        Phase.CONVERTING,
                        "Preparing",
                        Decision.BeginOffline.class));
    }

    static Stream<Arguments> tries() {
        return Stream.of(
                Case.of(
                        "a failed try just now",
                        atRest().tried(1, NOW.minusSeconds(9)),
                        Phase.WAITING,
                        "BackOff",
                        NOTHING,
                        v -> assertThat(v.until()).contains(NOW.plusSeconds(1))),
                Case.of(
                        "a try given up just now that does not count",
                        atRest().tried(0, NOW.minusSeconds(9)),
                        Phase.WAITING,
                        "BackOff",
                        NOTHING,
                        v -> assertThat(v.until()).contains(NOW.plusSeconds(1))),
                Case.of(
                        "the back-off is over",
                        atRest().tried(2, NOW.minusSeconds(20)),
                        Phase.CONVERTING,
                        "Preparing",
                        Decision.BeginOffline.class),
                Case.of(
                        "all tries failed",
                        atRest().tried(3, NOW.minusSeconds(86_400)),
                        Phase.FAILED,
                        "AttemptsExhausted",
                        NOTHING),
                Case.of(
                        "all tries failed, then the spec was changed",
                        atRest().tried(3, NOW).generation(2),
                        Phase.CONVERTING,
                        "Preparing",
                        Decision.BeginOffline.class),
                Case.of(
                        "the gate's no comes before the back-off",
                        atRest().tried(1, NOW).forbidden("delete pods"),
                        Phase.BLOCKED,
                        "Permissions",
                        NOTHING));
    }

    static Stream<Arguments> gate() {
        return Stream.of(
                Case.of(
                        "the server cannot be asked, and that passes",
                        atRest().serverMissing("StartingUp"),
                        Phase.PENDING,
                        "Reachable",
                        NOTHING),
                Case.of(
                        "the server cannot be asked",
                        atRest().serverMissing("AuthenticationFailed"),
                        Phase.BLOCKED,
                        "Authenticated",
                        NOTHING),
                Case.of(
                        "suspended, and the server cannot be asked",
                        atRest().suspended().serverMissing("AuthenticationFailed"),
                        Phase.SUSPENDED,
                        "Authenticated",
                        NOTHING),
                Case.of(
                        "a backup is running",
                        atRest().server(s ->
                                s.backups(Answer.given(List.of(new RunningBackup(1, "pg_basebackup", "streaming"))))),
                        Phase.WAITING,
                        "BackupRunning",
                        NOTHING,
                        v -> assertThat(v.plan()).isPresent()),
                Case.of(
                        "what passes by itself is not what is named, where something else does not",
                        atRest().workload(w -> w.notReady().budgets("db")),
                        Phase.BLOCKED,
                        "DisruptionBudget",
                        NOTHING,
                        v -> assertThat(v.findings()).hasSize(2)),
                Case.of(
                        "case 1: online only, without the functions",
                        atRest().method(Method.ONLINE),
                        Phase.BLOCKED,
                        "FunctionPresent",
                        NOTHING),
                Case.of(
                        "another resource is older",
                        atRest().conflict("shop/older"),
                        Phase.BLOCKED,
                        "Conflict",
                        NOTHING),
                Case.of(
                        "another resource is older, and its conversion holds the pod",
                        atRest().conflict("shop/older").workload(w -> w.held().deleting(NOW)),
                        Phase.BLOCKED,
                        "Conflict",
                        NOTHING));
    }

    static Stream<Arguments> windows() {
        return Stream.of(
                Case.of(
                        "open",
                        atRest().window("0 20 * * *", "1h", "Etc/UTC"),
                        Phase.CONVERTING,
                        "Preparing",
                        Decision.BeginOffline.class),
                Case.of(
                        "closed",
                        atRest().window("0 21 * * *", "1h", "Etc/UTC"),
                        Phase.WAITING,
                        "WindowClosed",
                        NOTHING,
                        v -> {
                            assertThat(v.until()).contains(NOW.plusSeconds(3600));
                            assertThat(v.plan().flatMap(Plan::notBefore)).isEqualTo(v.until());
                        }),
                Case.of(
                        "never again",
                        atRest().window("0 0 31 2 *", "1h", "Etc/UTC"),
                        Phase.WAITING,
                        "WindowClosed",
                        NOTHING,
                        v -> assertThat(v.until()).isEmpty()),
                Case.of(
                        "too little is left of it",
                        atRest().window("0 19 * * *", "61m", "Etc/UTC").server(s -> s.bytes(20L << 30)),
                        Phase.WAITING,
                        "WindowTooShort",
                        NOTHING,
                        v -> assertThat(v.until()).contains(NOW.plusSeconds(60))),
                Case.of(
                        "every one is too short",
                        atRest().window("0 20 * * *", "1m", "Etc/UTC").server(s -> s.bytes(20L << 30)),
                        Phase.BLOCKED,
                        "InWindow",
                        NOTHING),
                Case.of(
                        "no time zone",
                        atRest().window("0 20 * * *", "1h", "Mars/Olympus"),
                        Phase.BLOCKED,
                        "InWindow",
                        NOTHING,
                        v -> assertThat(v.message()).contains("timeZone Mars/Olympus")),
                Case.of(
                        "no schedule",
                        atRest().window("61 25 * * *", "1h", "Etc/UTC"),
                        Phase.BLOCKED,
                        "InWindow",
                        NOTHING,
                        v -> assertThat(v.message()).contains("schedule 61 25 * * *")));
    }

    @ParameterizedTest
    @MethodSource({"declaredAndFound", "tries", "gate", "windows"})
    void transition(Case row) {
        row.verify();
    }

    @Test
    void aTryRemembersWhatItBeganWith() {
        Verdict v = new Decider(Gates.standard())
                .decide(atRest().server(s -> s.bytes(4L << 30)).build());
        ConversionStatus c = ((Decision.BeginOffline) v.decision()).conversion();
        assertThat(c.to()).isEqualTo(DesiredState.ENABLED);
        assertThat(c.pod()).isEqualTo(Workloads.POD);
        assertThat(c.podUid()).isEqualTo(Workloads.POD_UID);
        assertThat(c.bytes()).isEqualTo(4L << 30);
        assertThat(c.started()).isEqualTo(NOW.toString());
        assertThat(c.stopped()).isNull();
        assertThat(c.givingUp()).isNull();
        assertThat(c.id()).startsWith("dck-orders-");
        assertThat(v.plan()).get().satisfies(p -> {
            assertThat(p.hold()).isTrue();
            assertThat(p.outage()).isGreaterThan(Duration.ofSeconds(28));
        });
    }

    @Test
    void aGateWithoutChecksLetsNoSilentServerPass() {
        Observation o = atRest().serverMissing("FlyingPig").build();
        Verdict v = new Decider(new Gate(List.of(), List.of())).decide(o);
        assertThat(v.phase()).isEqualTo(Phase.BLOCKED);
        assertThat(v.decision()).isInstanceOf(Decision.Nothing.class);
    }
}

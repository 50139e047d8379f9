package dev.datachecksums.operator.decide;

import static dev.datachecksums.operator.decide.Observations.NOW;
import static dev.datachecksums.operator.decide.Observations.converting;
import static dev.datachecksums.operator.decide.Observations.givingUp;
import static dev.datachecksums.operator.decide.Observations.stopped;
import static dev.datachecksums.operator.offline.Step.ARMED;
import static dev.datachecksums.operator.offline.Step.CONVERTED;
import static dev.datachecksums.operator.offline.Step.DONE;
import static dev.datachecksums.operator.offline.Step.LIFTED;
import static dev.datachecksums.operator.offline.Step.READY;
import static dev.datachecksums.operator.offline.Step.STOPPED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.decide.check.Gates;
import dev.datachecksums.operator.observe.SessionFacts;
import dev.datachecksums.operator.postgres.ChecksumState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The policy, or the Secret that is named, is changed at each step of a conversion in place. From the interlock on it is finished by what
 * it was begun with; before, it is given up where the policy now wants another road; and without its Secret no server is left down.
 */
class PolicyChangedTest {

    private static Map<String, Supplier<Observations>> before() {
        Map<String, Supplier<Observations>> steps = new LinkedHashMap<>();
        steps.put("ready", PolicyChangedTest::ready);
        steps.put("the CHECKPOINT runs", () -> ready().session(SessionFacts.State.PREPARING));
        steps.put("about to arm", () -> ready().session(SessionFacts.State.READY));
        return steps;
    }

    private static Map<String, Supplier<Observations>> armed() {
        Map<String, Supplier<Observations>> steps = new LinkedHashMap<>();
        steps.put("armed", () -> ready().interlocked(NOW.minusSeconds(1)));
        steps.put(
                "the Job saw the interlock",
                () -> converting().job(Jobs.convert().said(READY, ARMED)).interlocked(NOW.minusSeconds(1)));
        return steps;
    }

    private static Map<String, Supplier<Observations>> down() {
        Map<String, Supplier<Observations>> steps = new LinkedHashMap<>();
        steps.put(
                "stopping",
                () -> stopped()
                        .workload(w -> w.held().deleting(NOW))
                        .job(Jobs.convert().said(READY, ARMED)));
        steps.put(
                "rewriting",
                () -> stopped()
                        .workload(w -> w.held().deleting(NOW).ended())
                        .job(Jobs.convert().said(READY, ARMED, STOPPED)));
        steps.put(
                "done, and held",
                () -> stopped().workload(w -> w.held().deleting(NOW).ended()).job(done()));
        steps.put(
                "done, and released",
                () -> stopped()
                        .workload(w -> w.uid("uid-pod-2").notReady())
                        .serverMissing("Unreachable")
                        .job(done()));
        return steps;
    }

    private static Map<String, Supplier<Observations>> last() {
        Map<String, Supplier<Observations>> steps = new LinkedHashMap<>();
        steps.put(
                "it serves again",
                () -> stopped()
                        .workload(w -> w.uid("uid-pod-2"))
                        .server(s -> s.checksums(ChecksumState.ON).started(NOW))
                        .job(done()));
        steps.put(
                "given up, and held",
                () -> givingUp("NotClean: it was not clean")
                        .workload(w -> w.held().deleting(NOW).ended())
                        .job(Jobs.convert().said(READY, ARMED, STOPPED).failed("NotClean", true)));
        steps.put(
                "given up, and its Job was killed",
                () -> givingUp("NotClean: it was not clean")
                        .job(Jobs.convert().said(READY, ARMED, STOPPED).ended(137)));
        steps.put(
                "given up, and released",
                () -> givingUp("NotClean: it was not clean")
                        .workload(w -> w.uid("uid-pod-2").notReady())
                        .job(Jobs.convert().said(READY, ARMED, STOPPED).failed("NotClean", true)));
        return steps;
    }

    private static Observations at(Map<String, Supplier<Observations>> steps, String step) {
        return Objects.requireNonNull(steps.get(step)).get();
    }

    private static Observations ready() {
        return converting().job(Jobs.convert().said(READY));
    }

    private static Jobs done() {
        return Jobs.convert()
                .said(READY, ARMED, STOPPED, CONVERTED, LIFTED, DONE)
                .ended(0);
    }

    private static Map<String, UnaryOperator<Observations>> policies() {
        Map<String, UnaryOperator<Observations>> changes = new LinkedHashMap<>();
        changes.put("method Online", o -> o.method(Method.ONLINE));
        changes.put("a TemporaryStandby", o -> o.strategy(OfflineStrategy.TEMPORARY_STANDBY));
        changes.put("a window that is closed", o -> o.window("0 3 * * *", "1h", "Etc/UTC"));
        changes.put("no try but one", o -> o.attempts(1));
        changes.put("a longer outage", o -> o.maxOutage("2h"));
        return changes;
    }

    static Stream<Arguments> whatIsBegunIsFinished() {
        Map<String, Supplier<Observations>> steps = new LinkedHashMap<>(armed());
        steps.putAll(down());
        steps.putAll(last());
        return steps.entrySet().stream()
                .flatMap(step -> policies().entrySet().stream()
                        .map(change -> Arguments.of(
                                step.getKey() + ": " + change.getKey(),
                                step.getValue().get(),
                                change.getValue().apply(step.getValue().get()))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void whatIsBegunIsFinished(String name, Observations as, Observations changed) {
        Verdict before = decide(as);
        Verdict now = decide(changed);
        assertThat(now.decision()).as(name).hasSameClassAs(before.decision());
        assertThat(now.phase()).isEqualTo(before.phase());
        assertThat(now.reason()).isEqualTo(before.reason());
    }

    static Stream<Arguments> anotherRoadIsTakenBeforeTheStop() {
        return before().entrySet().stream()
                .flatMap(step -> Stream.of("method Online", "a TemporaryStandby")
                        .map(change -> Case.of(
                                step.getKey() + ": " + change,
                                Objects.requireNonNull(policies().get(change))
                                        .apply(step.getValue().get()),
                                Phase.STARTING,
                                "StrategyChanged",
                                Decision.GiveUp.class)));
    }

    /** Whether the server has functions for it or not: it is not stopped any more. */
    static Stream<Arguments> onlineIsNeverStopped() {
        return before().entrySet().stream()
                .map(step -> Case.of(
                        step.getKey() + ": Online, and it has the functions",
                        step.getValue().get().method(Method.ONLINE).server(Servers::functions),
                        Phase.STARTING,
                        "StrategyChanged",
                        Decision.GiveUp.class));
    }

    /** And what can wait for the last look before the stop does. */
    static Stream<Arguments> theSameRoadGoesOn() {
        return Stream.of(
                Case.of(
                        "the Job is to be made: a TemporaryStandby",
                        converting().strategy(OfflineStrategy.TEMPORARY_STANDBY),
                        Phase.CONVERTING,
                        "Preparing",
                        Decision.StartJob.class),
                Case.of(
                        "ready: in place, as it is",
                        ready().strategy(OfflineStrategy.IN_PLACE),
                        Phase.CONVERTING,
                        "Preparing",
                        Decision.HoldSession.class),
                Case.of(
                        "ready: Offline, as it is",
                        ready().method(Method.OFFLINE),
                        Phase.CONVERTING,
                        "Preparing",
                        Decision.HoldSession.class),
                Case.of(
                        "rewriting: the outage may not be as long any more",
                        at(down(), "rewriting").maxOutage("1s"),
                        Phase.STARTING,
                        "DeadlineExceeded",
                        Decision.GiveUp.class));
    }

    @ParameterizedTest
    @MethodSource({"anotherRoadIsTakenBeforeTheStop", "onlineIsNeverStopped", "theSameRoadGoesOn"})
    void transition(Case row) {
        row.verify();
    }

    static Stream<Arguments> withoutItsSecretNothingIsStopped() {
        Map<String, Supplier<Observations>> steps = new LinkedHashMap<>(before());
        steps.putAll(armed());
        return steps.entrySet().stream()
                .flatMap(step -> Stream.of(
                                "SecretNotFound", "SecretKeyMissing", "BadConnection", "AuthenticationFailed")
                        .map(reason -> Case.of(
                                step.getKey() + ": " + reason,
                                step.getValue().get().serverMissing(reason),
                                Phase.STARTING,
                                "GateClosed",
                                Decision.GiveUp.class,
                                v -> assertThat(v.message()).contains("message of " + reason))));
    }

    @ParameterizedTest
    @MethodSource
    void withoutItsSecretNothingIsStopped(Case row) {
        row.verify();
        // Nobody's failure: no try is counted for it.
        Decision.GiveUp up =
                (Decision.GiveUp) decide((Observations) row.given()).decision();
        assertThat(new GivingUp(up.reason(), up.message()).counts()).isFalse();
    }

    /** Step by step as with its Secret, up to the look that nobody can take. */
    static Stream<Arguments> withoutItsSecretServiceComesBack() {
        String missing = "SecretNotFound";
        return Stream.of(
                Case.of(
                        "done, and held",
                        at(down(), "done, and held").serverMissing(missing),
                        Phase.STARTING,
                        "Releasing",
                        Decision.Release.class),
                Case.of(
                        "done, and released",
                        at(down(), "done, and released").serverMissing(missing),
                        Phase.STARTING,
                        "Starting",
                        Decision.Nothing.class,
                        v -> assertThat(v.message()).contains("message of " + missing)),
                Case.of(
                        "done, and the next pod met the interlock",
                        at(down(), "done, and released")
                                .serverMissing(missing)
                                .workload(w -> w.uid("uid-pod-2").crashing().created(NOW.minusSeconds(6))),
                        Phase.STARTING,
                        "Restarting",
                        Decision.RestartPod.class),
                Case.of(
                        "given up, and held",
                        at(last(), "given up, and held").serverMissing(missing),
                        Phase.STARTING,
                        "NotClean",
                        Decision.Release.class),
                Case.of(
                        "given up, and its Job was killed",
                        at(last(), "given up, and its Job was killed").serverMissing(missing),
                        Phase.STARTING,
                        "NotClean",
                        Decision.LiftByJob.class),
                Case.of(
                        "given up, and released",
                        at(last(), "given up, and released").serverMissing(missing),
                        Phase.STARTING,
                        "NotClean",
                        Decision.Nothing.class,
                        v -> assertThat(v.message()).contains("message of " + missing)));
    }

    @ParameterizedTest
    @MethodSource
    void withoutItsSecretServiceComesBack(Case row) {
        row.verify();
    }

    private static Verdict decide(Observations o) {
        return new Decider(Gates.standard()).decide(o.build());
    }
}

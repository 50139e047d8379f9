package dev.datachecksums.operator.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.api.v1alpha1.ObservedState;
import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.operator.decide.check.Gates;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.Answer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlannerTest {

    private static final long GIB = 1L << 30;

    @ParameterizedTest(name = "{0} bytes: {1} ms")
    @CsvSource({
        "0, 0",
        "1, 0",
        "157286400, 1000",
        "78643200, 500",
        "1073741824, 6826",
        // a petabyte; four; all that a long can say
        "1125899906842624, 7158278826",
        "4503599627370496, 28633115306",
        "9223372036854775807, 58640620148053"
    })
    void workOfEnabling(long bytes, long millis) {
        assertThat(Planner.work(DesiredState.ENABLED, bytes, null)).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void disablingTakesTheSameAtAnySize() {
        assertThat(Planner.work(DesiredState.DISABLED, Long.MAX_VALUE, null)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void theVolumesOwnRateIsTheBetterGuess() {
        // 100 GiB in 203 s, 3 of them the restart's: 0.5 GiB/s
        LastConversion last = last(ObservedState.ON, 100 * GIB, "3m23s");
        assertThat(Planner.work(DesiredState.ENABLED, 10 * GIB, last)).isEqualTo(Duration.ofSeconds(20));
        // As an outage is written below ten seconds, and above a day.
        assertThat(Planner.work(DesiredState.ENABLED, GIB, last(ObservedState.ON, 2 * GIB, "7.0s")))
                .isBetween(Duration.ofMillis(2000), Duration.ofMillis(2001));
        assertThat(Planner.work(DesiredState.ENABLED, GIB, last(ObservedState.ON, 1000 * GIB, "1d4h")))
                .isBetween(Duration.ofSeconds(100), Duration.ofSeconds(101));
    }

    @Test
    void aConversionToOffSaysNothingAboutTheRate() {
        LastConversion off = last(ObservedState.OFF, 100 * GIB, "4s");
        assertThat(Planner.work(DesiredState.ENABLED, 100 * GIB, off)).isGreaterThan(Duration.ofMinutes(11));
        assertThat(Planner.hold(DesiredState.ENABLED, 100 * GIB, off)).isTrue();
    }

    @ParameterizedTest(name = "{0} bytes in {1}")
    @CsvSource({"1000, 10s", "107374182400, 3s", "107374182400, 2.5s", "107374182400, soon", "107374182400,"})
    void whatDoesNotTellARateIsNotUsed(long bytes, @Nullable String outage) {
        assertThat(Planner.work(DesiredState.ENABLED, GIB, last(ObservedState.ON, bytes, outage)))
                .isEqualTo(Planner.work(DesiredState.ENABLED, GIB, null));
    }

    @Test
    void aRateIsNeverLearnedToBeNothing() {
        LastConversion slow = last(ObservedState.ON, GIB, "168h");
        assertThat(Planner.work(DesiredState.ENABLED, GIB, slow)).isEqualTo(Duration.ofSeconds(1024));
    }

    @Test
    void thePodIsHeldInDoubt() {
        assertThat(Planner.hold(DesiredState.ENABLED, null, null)).isTrue();
        assertThat(Planner.hold(DesiredState.ENABLED, GIB, null)).isTrue();
        assertThat(Planner.hold(DesiredState.ENABLED, 1L << 20, null)).isFalse();
        assertThat(Planner.hold(DesiredState.DISABLED, null, null)).isFalse();
    }

    @Test
    void anUnknownSizeIsNoSmallOne() {
        Plan plan = plan(Observations.atRest().server(s -> s.bytes(Answer.absent("took 10 s"))));
        assertThat(plan.hold()).isTrue();
        assertThat(plan.bytes()).isZero();
    }

    @Test
    void itSaysWhyThisRoad() {
        assertThat(plan(Observations.atRest()).reason()).contains("has no function pg_enable_data_checksums()");
        assertThat(plan(Observations.atRest().method(Method.OFFLINE)).reason()).contains("policy.method is Offline");
        assertThat(plan(Observations.atRest().state(DesiredState.DISABLED)).reason())
                .contains("control file only");
    }

    @Test
    void autoTakesACopyWhereItSavesEnoughAndHasRoom() {
        Plan plan = plan(Observations.atRest().server(s -> s.bytes(10 * GIB)).standby(s -> {}));
        assertThat(plan.method()).isEqualTo(ConversionMethod.TEMPORARY_STANDBY);
        assertThat(plan.outage()).isEqualTo(Planner.RESTART);
        assertThat(plan.reason())
                .contains(
                        "TemporaryStandby",
                        "it needs 16.0 GiB",
                        "the volume has 60.0 GiB free",
                        "not InPlace, which would take about 1m8s more",
                        "not online, because");
    }

    @Test
    void autoSaysWhyItTakesNoCopy() {
        Plan small = plan(Observations.atRest().standby(s -> {}));
        assertThat(small.method()).isEqualTo(ConversionMethod.IN_PLACE);
        assertThat(small.reason()).contains("no TemporaryStandby, because it would save about 1.9s of outage only");
        Plan full = plan(Observations.atRest().server(s -> s.bytes(10 * GIB)).standby(s -> s.free(12 * GIB)));
        assertThat(full.method()).isEqualTo(ConversionMethod.IN_PLACE);
        assertThat(full.reason())
                .contains("no TemporaryStandby, because of RoomForCopy", "needs 16.0 GiB", "has 12.0 GiB free");
    }

    @Test
    void autoTakesACopyWhereTheOutageInPlaceIsTooLong() {
        Plan plan = plan(Observations.atRest()
                .maxOutage("10s")
                .server(s -> s.bytes(150L << 23))
                .standby(s -> {}));
        assertThat(plan.method()).isEqualTo(ConversionMethod.TEMPORARY_STANDBY);
    }

    /** 2.0 s and 2.1 s of work. */
    @Test
    void autoTakesACopyOfADeploymentWhereThePodWouldHaveToBeHeld() {
        Plan shorter = plan(deployment(300L << 20).standby(s -> {}));
        assertThat(shorter.method()).isEqualTo(ConversionMethod.IN_PLACE);
        assertThat(shorter.hold()).isFalse();
        assertThat(shorter.outage())
                .isEqualTo(Duration.ofSeconds(2).plus(Planner.RESTART).plus(Planner.BACK_OFF));
        assertThat(shorter.reason()).contains("the pod stays");
        Plan longer = plan(deployment(315L << 20).standby(s -> {}));
        assertThat(longer.method()).isEqualTo(ConversionMethod.TEMPORARY_STANDBY);
        assertThat(longer.hold()).isFalse();
        Plan full = plan(deployment(315L << 20).standby(s -> s.free(1L << 20)));
        assertThat(full.method()).isEqualTo(ConversionMethod.IN_PLACE);
        assertThat(full.reason()).contains("because of RoomForCopy");
    }

    private static Observations deployment(long bytes) {
        return Observations.atRest().workload(w -> w.kind("Deployment")).server(s -> s.bytes(bytes));
    }

    @Test
    void autoBeginsNoLongOutageForWantOfAnAnswer() {
        Plan plan = plan(Observations.atRest().server(s -> s.bytes(10 * GIB)).standbyMissing("TimedOut"));
        assertThat(plan.method()).isEqualTo(ConversionMethod.TEMPORARY_STANDBY);
    }

    @Test
    void disablingIsAlwaysInPlace() {
        Plan plan = plan(Observations.atRest()
                .strategy(OfflineStrategy.TEMPORARY_STANDBY)
                .state(DesiredState.DISABLED)
                .standby(s -> {}));
        assertThat(plan.method()).isEqualTo(ConversionMethod.IN_PLACE);
        assertThat(plan.reason()).contains("disabling is always InPlace");
    }

    @Test
    void theRateOfTheCopyCounts() {
        Observations big = Observations.atRest()
                .strategy(OfflineStrategy.TEMPORARY_STANDBY)
                .server(s -> s.bytes(10 * GIB))
                .standby(s -> {});
        assertThat(plan(big.maxCopyRate("10Mi")).work()).isGreaterThan(Duration.ofMinutes(17));
    }

    private static Plan plan(Observations given) {
        Observation o = given.build();
        return new Planner(Gates.standard().standby())
                .offline(o, o.server().seen().orElseThrow());
    }

    private static LastConversion last(ObservedState to, long bytes, @Nullable String outage) {
        return new LastConversion(null, to, ConversionMethod.IN_PLACE, null, null, outage, bytes, 1);
    }
}

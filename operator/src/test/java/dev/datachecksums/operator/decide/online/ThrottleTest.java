package dev.datachecksums.operator.decide.online;

import static dev.datachecksums.operator.decide.online.Given.NOW;
import static dev.datachecksums.operator.decide.online.Given.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.Blockers;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.OnlinePolicy;
import dev.datachecksums.operator.postgres.online.DiskSpace;
import dev.datachecksums.operator.postgres.online.OnlineFacts.Costs;
import dev.datachecksums.operator.postgres.online.Throttle;
import dev.datachecksums.operator.postgres.online.WalFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Throttles, what they make of a run, and when they are changed. */
class ThrottleTest {
    private static final Throttle FACTS = new Throttle(Duration.ofMillis(20), 100);
    private static final long GI = 1L << 30;

    @Test
    void twentyAndAHundredIsAbout240PagesASecond() {
        assertThat(Throttles.ceiling(FACTS, Costs.DEFAULT).orElseThrow() / 8192).isBetween(235L, 240L);
        assertThat(Throttles.ceiling(Throttle.NONE, Costs.DEFAULT)).isEmpty();
    }

    /** A page costs 21, a pause is four times as long at most: it does not get slower than that. */
    @Test
    void noPauseIsLongerThanFour() {
        assertThat(Throttles.ceiling(new Throttle(Duration.ofMillis(100), 1), Costs.DEFAULT)
                        .orElseThrow())
                .isEqualTo(8192 * 10 / 4);
        assertThat(Throttles.ceiling(new Throttle(Duration.ofMillis(100), 7), Costs.DEFAULT)
                        .orElseThrow())
                .isBetween(8192L * 10 / 3 - 1, 8192L * 10 / 3);
    }

    @Test
    void aTerabyteThenTakesSixDaysAndThePlanSaysSo() {
        Estimate e = Estimate.of(DesiredState.ENABLED, 1L << 40, FACTS, Costs.DEFAULT, Optional.empty());
        assertThat(e.duration().toDays()).isEqualTo(6);
        assertThat(e.tooLong()).isTrue();
        assertThat(e.walBytes()).isEqualTo(1L << 40);
        assertThat(e.words(FACTS)).contains("about 7 days").contains("costDelay 20ms, costLimit 100");
    }

    @Test
    void disablingGoesThroughNothing() {
        Estimate e = Estimate.of(DesiredState.DISABLED, 1L << 40, FACTS, Costs.DEFAULT, Optional.empty());
        assertThat(e.walBytes()).isZero();
        assertThat(e.duration()).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void timeLeftIsByTheRateOfLateUnderTheThrottlesCeiling() {
        ClusterProgress p = new ClusterProgress(0, 100 * Given.MB);
        assertThat(Estimate.left(p, Optional.of(10 * Given.MB), Throttle.NONE, Costs.DEFAULT))
                .contains(Duration.ofSeconds(10));
        assertThat(Estimate.left(p, Optional.of(10 * Given.MB), FACTS, Costs.DEFAULT)
                        .orElseThrow())
                .isBetween(Duration.ofSeconds(50), Duration.ofSeconds(53));
        assertThat(Estimate.left(p, Optional.empty(), Throttle.NONE, Costs.DEFAULT))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1L << 20, 5L << 20, 64L << 20, 256L << 20})
    void aThrottleForARateLetsThatMuchThrough(long rate) {
        Throttle t = Throttles.forRate(rate, Costs.DEFAULT);
        assertThat(Throttles.ceiling(t, Costs.DEFAULT).orElseThrow()).isBetween(rate * 95 / 100, rate * 105 / 100);
        assertThat(t.costLimit()).isGreaterThanOrEqualTo(21);
    }

    @Test
    void tighteningEndsAndRelaxingComesBackToWhatWasAskedFor() {
        Throttle t = Throttle.NONE;
        int steps = 0;
        while (Throttles.tighter(t, Optional.empty(), Costs.DEFAULT).isPresent()) {
            Throttle next =
                    Throttles.tighter(t, Optional.empty(), Costs.DEFAULT).get();
            assertThat(Throttles.ceiling(next, Costs.DEFAULT).orElseThrow())
                    .isLessThan(Throttles.ceiling(t, Costs.DEFAULT).orElse(Long.MAX_VALUE));
            t = next;
            assertThat(++steps).isLessThan(20);
        }
        assertThat(Throttles.ceiling(t, Costs.DEFAULT).orElseThrow()).isBetween(1L << 19, 2L << 20);
        while (!t.equals(Throttle.NONE)) {
            t = Throttles.relaxed(t, Throttle.NONE, Costs.DEFAULT);
            assertThat(++steps).isLessThan(40);
        }
    }

    @Test
    void whatTheSpecAsksForIsPassedOnOnceAndAtOnce() {
        Run run = run(Throttle.NONE, Throttle.NONE, 1);
        Adaptation a = Adaptation.of(server().facts(), run, FACTS, null, Optional.empty(), NOW)
                .orElseThrow();
        assertThat(a.throttle()).isEqualTo(FACTS);
        assertThat(a.reason()).isEqualTo("Retuned");
        assertThat(Adaptation.of(server().facts(), run(FACTS, FACTS, 1), FACTS, null, Optional.empty(), NOW))
                .isEmpty();
    }

    @Test
    void lagTightensAtMostOnceAMinute() {
        Given lagging = server().replica("near", 5L).replica("far", 2 * GI).replica("silent", null);
        assertThat(Adaptation.of(
                        lagging.facts(),
                        run(Throttle.NONE, Throttle.NONE, 59),
                        Throttle.NONE,
                        GI,
                        Optional.empty(),
                        NOW))
                .isEmpty();
        Adaptation a = Adaptation.of(
                        lagging.facts(),
                        run(Throttle.NONE, Throttle.NONE, 60),
                        Throttle.NONE,
                        GI,
                        Optional.of(100L << 20),
                        NOW)
                .orElseThrow();
        assertThat(a.reason()).isEqualTo("ThrottleTightened");
        assertThat(a.message()).contains("replica far is 2.0 GiB behind").contains("1.0 GiB");
        assertThat(Throttles.ceiling(a.throttle(), Costs.DEFAULT).orElseThrow()).isBetween(45L << 20, 55L << 20);
    }

    /** The first step waits for nothing: unthrottled, a minute is gigabytes. */
    @Test
    void lagTightensTheThrottleOfTheCallAtOnce() {
        Run fresh = new Run(DesiredState.ENABLED, NOW, Given.STARTED, 1, Throttle.NONE, Throttle.NONE, null, null);
        assertThat(Adaptation.of(
                        server().replica("far", 2 * GI).facts(), fresh, Throttle.NONE, GI, Optional.empty(), NOW))
                .get()
                .satisfies(a -> assertThat(a.reason()).isEqualTo("ThrottleTightened"));
    }

    @ParameterizedTest
    @CsvSource({"1Gi,1073741824", "1e30,9223372036854775807", "nonsense,", ","})
    void theLimitOfReplicasIsReadWhateverStandsThere(@Nullable String quantity, @Nullable Long bytes) {
        assertThat(ReplicaLimit.bytes(new OnlinePolicy("0ms", 100, quantity, Blockers.WAIT, "10m")))
                .isEqualTo(bytes);
    }

    @Test
    void caughtUpReplicasRelaxItAndThoseInBetweenLeaveItAlone() {
        Throttle tight = Throttles.forRate(64L << 20, Costs.DEFAULT);
        Run run = run(Throttle.NONE, tight, 61);
        assertThat(Adaptation.of(
                        server().replica("r", GI * 3 / 4).facts(), run, Throttle.NONE, GI, Optional.empty(), NOW))
                .isEmpty();
        assertThat(Adaptation.of(server().replica("r", GI / 4).facts(), run, Throttle.NONE, GI, Optional.empty(), NOW))
                .get()
                .satisfies(a -> assertThat(a.reason()).isEqualTo("ThrottleRelaxed"));
        assertThat(Adaptation.of(
                        server().replica("r", 9 * GI).facts(), run, Throttle.NONE, null, Optional.empty(), NOW))
                .get()
                .satisfies(a -> assertThat(a.reason()).isEqualTo("ThrottleRelaxed"));
    }

    @Test
    void theWalHasAFloor() {
        WalFacts wal = new WalFacts(16L << 20, GI, 3 * GI, 0, true, true);
        assertThat(WalRoom.belowFloor(new DiskSpace(100 * GI, 6 * GI), wal)).isEmpty();
        assertThat(WalRoom.belowFloor(new DiskSpace(100 * GI, 4 * GI), wal))
                .get()
                .asString()
                .contains("4.0 GiB left")
                .contains("archiver fails")
                .contains("slot keeps 3.0 GiB");
        assertThat(WalRoom.floor(new DiskSpace(GI, GI), 16L << 20)).isEqualTo(64L << 20);
        assertThat(WalRoom.floor(new DiskSpace(4096 * GI, GI), 16L << 20)).isEqualTo(10 * GI);
    }

    @Test
    void roomIsNeededForAllOfItOnlyWhereSomethingKeepsIt() {
        DiskSpace space = new DiskSpace(4 * GI, GI);
        assertThat(WalRoom.tooLittle(server().facts(), space)).isEmpty();
        Given kept = server().wal(new WalFacts(16L << 20, 100L << 20, 200L << 20, 0, false, false));
        DiskSpace little = new DiskSpace(4 * GI, 400L << 20);
        assertThat(WalRoom.tooLittle(
                        server().wal(new WalFacts(16L << 20, 100L << 20, 0, 0, false, false))
                                .facts(),
                        little))
                .isEmpty();
        assertThat(WalRoom.tooLittle(kept.facts(), little)).isPresent();
    }

    @Test
    void theRateIsThatOfTheLastMinute() {
        Samples s = Samples.NONE.plus(NOW, 0);
        assertThat(s.bytesPerSecond()).isEmpty();
        for (int i = 1; i <= 300; i++) {
            s = s.plus(NOW.plusSeconds(i), i <= 200 ? i * 1000L : 200_000 + (i - 200) * 10L);
        }
        assertThat(s.bytesPerSecond()).contains(10L);
        assertThat(s.samples()).hasSizeLessThan(65);
    }

    private static Run run(Throttle asked, Throttle now, int tunedSecondsAgo) {
        Instant tuned = NOW.minusSeconds(tunedSecondsAgo);
        return new Run(DesiredState.ENABLED, tuned, Given.STARTED, 1, asked, now, tuned, null);
    }
}

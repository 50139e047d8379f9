package dev.datachecksums.operator.decide;

import static dev.datachecksums.api.v1alpha1.DesiredState.DISABLED;
import static dev.datachecksums.api.v1alpha1.DesiredState.ENABLED;
import static dev.datachecksums.operator.decide.OnlineRuns.enabling;
import static dev.datachecksums.operator.decide.OnlineRuns.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.Blockers;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.decide.check.Gates;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.online.DiskSpace;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Step;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is told to a server during a run, and when it is let go on. */
class OnlineRunTest {

    static Stream<Arguments> told() {
        return Stream.of(
                tells("not called yet", server().under(ENABLED, null), "Calling", Decision.EnableOnline.class),
                tells(
                        "not called yet, Disabled",
                        server().state(ChecksumState.ON).under(DISABLED, null).and(o -> o.state(DISABLED)),
                        "Calling",
                        Decision.DisableOnline.class),
                tells(
                        "case 14: stuck halfway to off",
                        server().state(ChecksumState.INPROGRESS_OFF)
                                .under(DISABLED, 100)
                                .and(o -> o.state(DISABLED)),
                        "DisableStuck",
                        Decision.DisableOnline.class),
                tells(
                        "flipped to Disabled",
                        enabling().and(o -> o.state(DISABLED)),
                        "StateFlipped",
                        Decision.DisableOnline.class),
                tells(
                        "flipped to Disabled before its launcher was seen",
                        server().under(ENABLED, 1).and(o -> o.state(DISABLED)),
                        "StateFlipped",
                        Decision.DisableOnline.class),
                tells(
                        "flipped to Enabled",
                        server().under(DISABLED, 1)
                                .state(ChecksumState.INPROGRESS_OFF)
                                .launcher(Step.DISABLING, null),
                        "StateFlipped",
                        Decision.EnableOnline.class),
                tells("suspended", enabling().and(Observations::suspended), "Suspended", Decision.GiveUp.class),
                tells(
                        "case 17: another throttle",
                        enabling().policy("20ms", 100, null, Blockers.WAIT),
                        "Retuned",
                        Decision.Retune.class),
                tells(
                        "case 20: a replica falls behind",
                        enabling().replica(2L << 30).policy("0ms", 100, "1Gi", Blockers.WAIT),
                        "ThrottleTightened",
                        Decision.Retune.class),
                tells(
                        "case 21: the volume fills",
                        enabling().space(new DiskSpace(100L << 30, 1L << 30)),
                        "WalSpaceLow",
                        Decision.GiveUp.class),
                tells(
                        "being given up, still at work",
                        server().givingUp(ENABLED, "WalSpaceLow: full")
                                .state(ChecksumState.INPROGRESS_ON)
                                .working(),
                        "WalSpaceLow",
                        Decision.DisableOnline.class),
                tells(
                        "being given up, stuck",
                        server().givingUp(ENABLED, "WalSpaceLow: full").state(ChecksumState.INPROGRESS_OFF),
                        "WalSpaceLow",
                        Decision.DisableOnline.class));
    }

    static Stream<Arguments> letGoOn() {
        return Stream.of(
                goesOn("just called", server().under(ENABLED, 1), "Converting"),
                goesOn("under way", enabling(), "Converting"),
                goesOn(
                        "off, but a launcher is about to enable",
                        server().working().under(DISABLED, 1).and(o -> o.state(DISABLED)),
                        "Converting"),
                goesOn(
                        "on, but a launcher is disabling",
                        server().state(ChecksumState.ON)
                                .launcher(Step.DISABLING, null)
                                .under(ENABLED, 1),
                        "Converting"),
                goesOn(
                        "suspended while disabling",
                        server().under(DISABLED, 1)
                                .state(ChecksumState.INPROGRESS_OFF)
                                .launcher(Step.DISABLING, null)
                                .and(o -> o.state(DISABLED).suspended()),
                        "Converting"),
                goesOn(
                        "being given up, on its way",
                        server().givingUp(ENABLED, "WalSpaceLow: full")
                                .state(ChecksumState.INPROGRESS_OFF)
                                .launcher(Step.DISABLING, null),
                        "WalSpaceLow"),
                goesOn("deleted", server().under(ENABLED, 100).and(Observations::deleting), "Deleted"),
                goesOn(
                        "the server does not answer",
                        server().under(ENABLED, 100).and(o -> o.serverMissing("TimedOut")),
                        "Reachable"),
                goesOn(
                        "its run could not be asked for",
                        server().under(ENABLED, 100).unseen(),
                        "TimedOut"));
    }

    private static Arguments tells(String given, OnlineRuns server, String reason, Class<? extends Decision> decision) {
        return Case.of(given, server, Phase.CONVERTING, reason, decision);
    }

    private static Arguments goesOn(String given, OnlineRuns server, String reason) {
        return tells(given, server, reason, Decision.Nothing.class);
    }

    @ParameterizedTest
    @MethodSource({"told", "letGoOn"})
    void decides(Case c) {
        c.verify();
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
        OnlineRuns run = enabling().policy("2050ms", 100, null, Blockers.WAIT);
        Decision.Retune d = (Decision.Retune)
                new Decider(Gates.standard()).decide(run.build()).decision();
        Verdict next = new Decider(Gates.standard())
                .decide(run.and(o -> o.conversion(d.conversion())).build());
        assertThat(next.decision()).isInstanceOf(Decision.Nothing.class);
    }
}

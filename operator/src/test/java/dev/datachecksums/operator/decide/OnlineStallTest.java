package dev.datachecksums.operator.decide;

import static dev.datachecksums.api.v1alpha1.DesiredState.ENABLED;
import static dev.datachecksums.operator.decide.OnlineRuns.enabling;
import static dev.datachecksums.operator.decide.OnlineRuns.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.Blockers;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Step;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said and done about a run that stands still, by how long it has. */
class OnlineStallTest {

    static Stream<Arguments> waits() {
        return Stream.of(
                says("an old transaction that may end in a moment", waiting(Duration.ZERO), "Converting", false),
                says("case 7: an old transaction", waiting(Duration.ofSeconds(2)), "OldTransaction", false),
                says("it has stood too long", waiting(Duration.ofMinutes(10)), "OldTransaction", true),
                says(
                        "it will be ended, but not within its grace",
                        waiting(Duration.ofMinutes(9)).policy("0ms", 100, null, Blockers.TERMINATE),
                        "OldTransaction",
                        false),
                says("no counter moves", enabling().stoodFor(Duration.ofMinutes(10)), "NoProgress", true),
                Case.of(
                        "it is ended",
                        waiting(Duration.ofMinutes(10)).policy("0ms", 100, null, Blockers.TERMINATE),
                        Phase.CONVERTING,
                        "BlockersTerminated",
                        Decision.TerminateBlockers.class,
                        v -> assertThat(((Decision.TerminateBlockers) v.decision()).sessions())
                                .extracting(s -> s.pid())
                                .containsExactly(4)));
    }

    private static OnlineRuns waiting(Duration stood) {
        return server().under(ENABLED, 700)
                .state(ChecksumState.INPROGRESS_ON)
                .launcher(Step.ENABLING, "IPC:ChecksumEnableStartcondition")
                .oldTransaction(4, Duration.ofHours(1))
                .stoodFor(stood);
    }

    private static Arguments says(String given, OnlineRuns server, String reason, boolean stalled) {
        return Case.of(
                given,
                server,
                Phase.CONVERTING,
                reason,
                Decision.Nothing.class,
                v -> assertThat(v.stalled()).isEqualTo(stalled));
    }

    @ParameterizedTest
    @MethodSource("waits")
    void decides(Case c) {
        c.verify();
    }
}

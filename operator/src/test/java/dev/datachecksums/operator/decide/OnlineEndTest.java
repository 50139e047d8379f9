package dev.datachecksums.operator.decide;

import static dev.datachecksums.api.v1alpha1.DesiredState.DISABLED;
import static dev.datachecksums.api.v1alpha1.DesiredState.ENABLED;
import static dev.datachecksums.operator.decide.OnlineRuns.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.postgres.ChecksumState;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How a run ends: as declared, or as a try that counts or does not. */
class OnlineEndTest {

    static Stream<Arguments> ends() {
        return Stream.of(
                completes("on", server().under(ENABLED, 100).state(ChecksumState.ON)),
                completes("off", server().under(DISABLED, 100).and(o -> o.state(DISABLED))),
                over("case 11: restarted", server().under(ENABLED, 100).restarted(), "ServerRestarted", true),
                over("case 9: nobody at work any more", server().under(ENABLED, 100), "RunAborted", true),
                over("given up", server().givingUp(ENABLED, "WalSpaceLow: full"), "WalSpaceLow", true),
                over("given up for suspend", server().givingUp(ENABLED, "Suspended: asked"), "Suspended", false),
                over(
                        "an older resource",
                        server().under(ENABLED, 100).and(o -> o.conflict("shop/other")),
                        "Conflict",
                        false),
                over(
                        "another server without the functions",
                        server().under(ENABLED, 100).and(o -> o.server(s -> s.version(190_000))),
                        "FunctionsGone",
                        true));
    }

    private static Arguments completes(String given, OnlineRuns server) {
        return Case.of(
                given,
                server,
                Phase.CONVERGED,
                "Converged",
                Decision.Complete.class,
                v -> assertThat(((Decision.Complete) v.decision()).result().method())
                        .isEqualTo(ConversionMethod.ONLINE));
    }

    /** @param counts whether it is one of the tries that {@code policy.attempts} allows */
    private static Arguments over(String given, OnlineRuns server, String reason, boolean counts) {
        return Case.of(
                given,
                server,
                Phase.WAITING,
                reason,
                Decision.EndTry.class,
                v -> assertThat(((Decision.EndTry) v.decision()).counts()).isEqualTo(counts));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void decides(Case c) {
        c.verify();
    }
}

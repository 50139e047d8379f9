package dev.datachecksums.operator.decide.online;

import static dev.datachecksums.operator.decide.online.Given.NOW;
import static dev.datachecksums.operator.decide.online.Given.run;
import static dev.datachecksums.operator.decide.online.Given.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.online.Throttle;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RunStateTest {
    private static final DesiredState ENABLED = DesiredState.ENABLED;
    private static final DesiredState DISABLED = DesiredState.DISABLED;

    static Stream<Arguments> table() {
        Given restarted = server().startedAt(NOW.minusSeconds(10));
        Given promoted = server().startedAt(NOW.minusSeconds(10)).timeline(2);
        return Stream.of(
                row(
                        "on: reached, whatever still runs",
                        ENABLED,
                        300,
                        server().state(ChecksumState.ON).launcher(3),
                        "Reached"),
                row("off: reached", DISABLED, 300, server(), "Reached"),
                row("on after a restart is on", ENABLED, 300, restarted.state(ChecksumState.ON), "Reached"),
                row("not called", ENABLED, -1, server(), "NotCalled"),
                row("just called, no launcher yet", ENABLED, 1, server(), "Running"),
                row("just called, disabling", DISABLED, 1, server().state(ChecksumState.ON), "Running"),
                row("launcher there, still off", ENABLED, 300, server().launcher(0), "Running"),
                row(
                        "under way",
                        ENABLED,
                        300,
                        server().state(ChecksumState.INPROGRESS_ON).launcher(0),
                        "Running"),
                row("off, nobody there", ENABLED, 300, server(), "RunAborted"),
                row("nobody there", ENABLED, 300, server().state(ChecksumState.INPROGRESS_ON), "RunAborted"),
                row(
                        "half disabled by somebody",
                        ENABLED,
                        300,
                        server().state(ChecksumState.INPROGRESS_OFF),
                        "RunAborted"),
                row("restarted", ENABLED, 300, server().startedAt(NOW.minusSeconds(10)), "ServerRestarted"),
                row("restarted, called just before", ENABLED, 1, server().startedAt(NOW), "ServerRestarted"),
                row("promoted", ENABLED, 300, promoted, "Promoted"),
                row("halfway off", DISABLED, 300, server().state(ChecksumState.INPROGRESS_OFF), "Halfway"),
                row("enabling, nobody there", DISABLED, 300, server().state(ChecksumState.INPROGRESS_ON), "Halfway"),
                row(
                        "disabling",
                        DISABLED,
                        300,
                        server().state(ChecksumState.INPROGRESS_OFF).launcher(0),
                        "Running"),
                row("still on", DISABLED, 300, server().state(ChecksumState.ON), "NotDisabled"),
                row("a state that nobody knows", ENABLED, 300, server().state(ChecksumState.UNKNOWN), "RunAborted"));
    }

    private static Arguments row(String name, DesiredState to, int calledSecondsAgo, Given given, String expected) {
        return Arguments.of(name, to, calledSecondsAgo, given, expected);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void judges(String name, DesiredState to, int calledSecondsAgo, Given given, String expected) {
        Instant called = calledSecondsAgo < 0 ? null : NOW.minusSeconds(calledSecondsAgo);
        Run run = new Run(to, called, Given.STARTED, 1, Throttle.NONE, Throttle.NONE, NOW, null);
        RunState state = RunState.of(given.facts(), run, NOW);
        assertThat(
                        state instanceof RunState.Aborted a
                                ? a.reason()
                                : state.getClass().getSimpleName())
                .as(name)
                .isEqualTo(expected);
    }

    @org.junit.jupiter.api.Test
    void anAbortSaysWhatIsLeft() {
        RunState state = RunState.of(server().facts(), run(ENABLED), NOW);
        assertThat(state)
                .isInstanceOfSatisfying(
                        RunState.Aborted.class,
                        a -> assertThat(a.message())
                                .contains("the server says off")
                                .contains("server's log"));
    }
}

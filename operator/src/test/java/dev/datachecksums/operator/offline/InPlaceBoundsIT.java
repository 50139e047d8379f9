package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.datachecksums.operator.postgres.LocalPostgres.StopMode;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the in-place script waits for has an end, and at that end the server may serve. */
class InPlaceBoundsIT {
    private static final TestShell SH = TestShell.system();

    @RegisterExtension
    static final SharedServer SHARED = new SharedServer();

    static List<TestShell> shells() {
        return TestShell.installed();
    }

    @Test
    void noInterlockComes() {
        try (InPlaceFixture f = SHARED.borrowed()) {
            AgentRun run = f.run(SH, "enable", Map.of("DCK_READY_FOR", "1"));
            run.awaitFailure(1, "NotArmed");
            assertThat(f.postgres().isRunning()).isTrue();
            f.assertServes("off");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void noStopComes(TestShell shell) {
        try (InPlaceFixture f = SHARED.borrowed()) {
            AgentRun run = f.run(shell, "enable", Map.of("DCK_ARMED_FOR", "1"));
            f.arm(run);
            run.awaitFailure(1, "StopTimeout");
            assertThat(f.postgres().isRunning()).isTrue();
            f.assertServes("off");
        }
    }

    /** As on a machine that is too busy: no answer in time, where nobody is there it would be refused at once. */
    @Test
    void aServerThatIsSlowToAnswerIsNotTakenForGone() {
        try (InPlaceFixture f = SHARED.borrowed()) {
            AgentRun run = f.run(SH, "enable", Map.of("DCK_ARMED_FOR", "600"));
            f.arm(run);
            String postmaster = "$(head -n 1 " + f.postgres().dataDirectory() + "/postmaster.pid)";
            f.shell("kill -STOP " + postmaster);
            Awaitility.await()
                    .during(Duration.ofMillis(3500))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> !run.steps().contains("failed"));
            f.shell("kill -CONT " + postmaster);
            f.postgres().stop(StopMode.FAST);
            run.awaitEnd(0);
            f.assertServes("on");
        }
    }

    /** A shutdown checkpoint may take long: a server that says that it is stopping is not given up. */
    @Test
    void aSlowStopIsWaitedFor() throws SQLException {
        try (InPlaceFixture f = SHARED.borrowed();
                Connection held = f.postgres().connect();
                Statement statement = held.createStatement();
                ResultSet pid = statement.executeQuery("select pg_backend_pid()")) {
            pid.next();
            AgentRun run = f.run(SH, "enable", Map.of("DCK_ARMED_FOR", "4"));
            f.arm(run);
            f.shell("kill -STOP " + pid.getInt(1));
            f.postgres().signal("INT");
            // Longer than it may be armed without a stop.
            Awaitility.await()
                    .pollDelay(Duration.ofSeconds(6))
                    .atMost(Duration.ofSeconds(30))
                    .until(() ->
                            Files.readString(f.data().resolve("postmaster.pid")).contains("stopping"));
            f.shell("kill -CONT " + pid.getInt(1));
            run.awaitEnd(0);
            f.assertServes("on");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void theOutageHasALimit(TestShell shell) {
        try (InPlaceFixture f = InPlaceFixture.withoutChecksums()) {
            FakeTools tools = new FakeTools(f.postgres()).stopMidRewrite();
            AgentRun run = f.run(shell, "enable", tools, Map.of("DCK_MAX_OUTAGE", "1"));
            f.armAndStop(run);
            run.awaitFailure(1, "DeadlineExceeded");
            assertThat(f.postgres().controlData("Data page checksum version")).isEqualTo("0");
            f.assertServes("off");
        }
    }

    @Test
    void theServerIsStoppedBeforeTheInterlock() {
        try (InPlaceFixture f = SHARED.borrowed()) {
            AgentRun run = f.run(SH, "enable", Map.of());
            run.awaitStep("ready");
            f.postgres().stop(StopMode.FAST);
            run.awaitFailure(1, "NotServing");
            f.assertServes("off");
        }
    }

    @Test
    void theServerIsRestartedUnnoticed() {
        try (InPlaceFixture f = SHARED.borrowed()) {
            AgentRun run = f.run(SH, "enable", Map.of());
            run.awaitStep("ready");
            run.signal("STOP");
            f.postgres().restart();
            run.signal("CONT");
            run.awaitFailure(1, "ServerRestarted");
            f.assertServes("off");
        }
    }

    @Test
    void armedAndStoppedBetweenTwoLooks() {
        try (InPlaceFixture f = SHARED.borrowed()) {
            AgentRun run = f.run(SH, "enable", Map.of());
            run.awaitStep("ready");
            run.signal("STOP");
            f.writeLine();
            f.postgres().stop(StopMode.FAST);
            run.signal("CONT");
            run.awaitEnd(0);
            f.assertServes("on");
        }
    }

    @Test
    void theServerIsDown() {
        try (InPlaceFixture f = SHARED.borrowed()) {
            f.postgres().stop(StopMode.FAST);
            f.run(SH, "enable", Map.of()).awaitFailure(1, "NotServing");
            f.assertServes("off");
        }
    }

    /** A look takes a tenth of a second: forty of them are more than the moment that a server is given which has no pid file. */
    @ParameterizedTest
    @MethodSource("shells")
    void aBusyServerIsGivenTimeToAnswer(TestShell shell) {
        try (InPlaceFixture f = SHARED.borrowed()) {
            // The first call is asked for its version.
            FakeTools tools = new FakeTools(f.postgres())
                    .replace("pg_isready", "[ $n = 1 ] || [ $n -gt 41 ] || exit 2\n\"$real\" \"$@\"");
            AgentRun run = f.run(shell, "enable", tools, Map.of("DCK_HOST", "127.0.0.1"));
            run.awaitStep("ready");
            run.signal("TERM");
            run.awaitFailure(143, "Stopped");
            f.assertServes("off");
        }
    }

    @Test
    void aKilledServerLeftItsPidFile() {
        try (InPlaceFixture f = SHARED.borrowed()) {
            f.postgres().kill9();
            f.run(SH, "enable", Map.of("DCK_ANSWER_FOR", "1")).awaitFailure(1, "NotServing");
            f.assertServes("off");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void oneAgentAtATime(TestShell shell) {
        try (InPlaceFixture f = SHARED.borrowed()) {
            AgentRun first = f.run(shell, "enable", Map.of());
            f.arm(first);
            // Lifting too: the first one's interlock is not the second one's to remove.
            for (String mode : List.of("enable", "lift")) {
                JsonNode last = f.run(shell, mode, Map.of("DCK_LOCK_FOR", "1")).awaitEnd(1);
                assertThat(last.path("reason").asText()).isEqualTo("LockBusy");
                assertThat(last.path("lifted").asBoolean(true)).isFalse();
            }
            f.postgres().stop(StopMode.FAST);
            first.awaitEnd(0);
            f.assertServes("on");
        }
    }

    @Test
    void restoringIsTriedAgain() {
        try (InPlaceFixture f = SHARED.borrowed()) {
            FakeTools tools = new FakeTools(f.postgres()).failing("mv", 2, 4, "mv: \"full\" \\ disk");
            AgentRun run = f.run(SH, "enable", tools, Map.of());
            f.armAndStop(run);
            run.awaitEnd(0);
            assertThat(run.steps()).containsSubsequence("converted", "liftFailed", "lifted", "done");
            assertThat(run.awaitStep("liftFailed").path("message").asText()).contains("mv: \"full\" \\ disk");
            f.assertServes("on");
        }
    }

    @Test
    void restoringIsGivenUpInTheEndAndSaysSo() {
        try (InPlaceFixture f = SHARED.borrowed()) {
            FakeTools tools = new FakeTools(f.postgres()).failing("mv", 2, 1_000_000, "mv: no");
            AgentRun run = f.run(SH, "enable", tools, Map.of("DCK_LIFT_FOR", "1"));
            f.armAndStop(run);
            JsonNode last = run.awaitEnd(1);
            assertThat(last.path("reason").asText()).isEqualTo("LiftFailed");
            assertThat(last.path("lifted").asBoolean(true)).isFalse();
            assertThat(f.walIsAway()).isTrue();
            f.run(SH, "lift", Map.of()).awaitEnd(0);
            f.assertServes("on");
        }
    }

    /** No file can be made: the line is made a comment where it stands. */
    @ParameterizedTest
    @MethodSource("shells")
    void restoringNeedsNoRoom(TestShell shell) {
        try (InPlaceFixture f = InPlaceFixture.withoutChecksums()) {
            String before = f.autoConfText();
            AgentRun run = f.run(shell, "enable", Map.of());
            f.arm(run);
            f.shell("chmod 500 \"$D\"");
            run.signal("TERM");
            JsonNode last = run.awaitEnd(143);
            assertThat(last.path("lifted").asBoolean()).isTrue();
            f.shell("chmod 700 \"$D\"; rm -f \"$A.dck\"");
            assertThat(f.autoConfText().strip()).isEqualTo(before.strip());
            f.postgres().restart();
            f.assertServes("off");
        }
    }

    @Test
    void aFailingToolIsQuoted() {
        try (InPlaceFixture f = SHARED.borrowed()) {
            FakeTools tools = new FakeTools(f.postgres())
                    .replace(
                            "pg_checksums",
                            "case $1 in --version) exec \"$real\" \"$@\" ;; esac\n"
                                    + "printf 'pg_checksums: error: \"base/\\\\1\\001\" \\303\\251\\n' >&2; exit 1");
            AgentRun run = f.run(SH, "enable", tools, Map.of());
            f.armAndStop(run);
            JsonNode last = run.awaitFailure(1, "ConversionFailed");
            assertThat(last.path("message").asText())
                    .isEqualTo("pg_checksums ended with status 1: pg_checksums: error: \"base/\\1\" ??");
            f.assertServes("off");
        }
    }
}

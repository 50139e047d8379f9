package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.datachecksums.operator.postgres.LocalPostgres.StopMode;
import dev.datachecksums.operator.postgres.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The in-place script against a real server: the way that it goes when nothing is wrong, and what other people's doings at the worst moment
 * lead to. Names such as A4 are rows of the attack on the procedure that the product's design rests on.
 */
class InPlaceScriptIT {
    private static final TestShell SH = TestShell.system();

    @RegisterExtension
    static final SharedServer SHARED = new SharedServer();

    static List<TestShell> shells() {
        return TestShell.installed();
    }

    @ParameterizedTest
    @MethodSource("shells")
    void enablesAndDisables(TestShell shell) throws IOException {
        try (InPlaceFixture f = SHARED.borrowed()) {
            AgentRun enable = f.run(shell, "enable", Map.of());
            JsonNode ready = enable.awaitStep("ready");
            assertThat(ready.path("systemIdentifier").asText())
                    .isEqualTo(f.postgres().query("select system_identifier from pg_control_system()"));
            List<String> pidFile = Files.readAllLines(f.data().resolve("postmaster.pid"));
            assertThat(ready.path("pid").asText()).isEqualTo(pidFile.get(0));
            // pg_postmaster_start_time() is taken a little later, and may fall into another second.
            assertThat(ready.path("postmasterStart").asText()).isEqualTo(pidFile.get(2));
            assertThat(f.postgres().query("select split_part(version(), ' ', 2)"))
                    .isEqualTo(ready.path("toolVersion").asText());
            assertThat(ready.path("uid").asInt()).isEqualTo(f.postgres().uid());
            assertThat(ready.path("gid").asInt()).isEqualTo(f.postgres().gid());
            assertThat(ready.path("checksums").asInt(-1)).isZero();
            f.armAndStop(enable);
            assertThat(enable.awaitEnd(0).path("checksums").asInt()).isEqualTo(1);
            assertThat(enable.steps())
                    .containsExactly(
                            "started", "ready", "armed", "stopped", "rewriting", "converted", "lifted", "done");
            assertThat(enable.said())
                    .filteredOn(n -> n.path("step").asText().equals("rewriting"))
                    .last()
                    .satisfies(n -> {
                        assertThat(n.path("totalBytes").asLong()).isGreaterThan(10_000_000);
                        assertThat(n.path("doneBytes").asLong())
                                .isEqualTo(n.path("totalBytes").asLong());
                    });
            f.assertServes("on");
            f.assertEveryPageSound();

            f.postgres().start();
            AgentRun disable = f.run(shell, "disable", Map.of());
            f.armAndStop(disable);
            assertThat(disable.awaitEnd(0).path("checksums").asInt(-1)).isZero();
            assertThat(disable.steps())
                    .containsExactly("started", "ready", "armed", "stopped", "converted", "lifted", "done");
            f.assertServes("off");
        }
    }

    /** The node would put the Job's pod away at the very moment at which it has the server's pod to start. */
    @ParameterizedTest
    @MethodSource("shells")
    void endsOnlyOnceTheServerIsBackOrItIsToldTo(TestShell shell) {
        try (InPlaceFixture f = SHARED.borrowed()) {
            AgentRun enable = f.run(shell, "enable", Map.of("DCK_LINGER_FOR", "600"));
            f.armAndStop(enable);
            enable.awaitStep("done");
            assertThat(enable.ended()).isFalse();
            f.postgres().start();
            assertThat(enable.awaitEnd(0).path("step").asText()).isEqualTo("done");

            AgentRun disable = f.run(shell, "disable", Map.of("DCK_LINGER_FOR", "600"));
            f.armAndStop(disable);
            disable.awaitStep("done");
            disable.signal("TERM");
            assertThat(disable.awaitEnd(0).path("step").asText()).isEqualTo("done");
            f.assertServes("off");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void walBehindASymbolicLinkIsNeverFollowed(TestShell shell) throws IOException {
        try (InPlaceFixture f = InPlaceFixture.withoutChecksums()) {
            f.postgres().stop(StopMode.FAST);
            Path elsewhere = f.postgres().home().resolve("wal");
            f.shell("mv \"$D/pg_wal\" '" + elsewhere + "'; ln -s '" + elsewhere + "' \"$D/pg_wal\"");
            f.postgres().start();
            AgentRun run = f.run(shell, "enable", Map.of());
            f.armAndStop(run);
            run.awaitEnd(0);
            assertThat(Files.readSymbolicLink(f.data().resolve("pg_wal"))).isEqualTo(elsewhere);
            f.assertServes("on");
            f.assertEveryPageSound();
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void keepsEveryOtherByteOfAutoConfAndItsMode_A3_A9(TestShell shell) throws IOException {
        try (InPlaceFixture f = InPlaceFixture.withoutChecksums()) {
            String odd = "# caf\u00e9 \\ \" \t\nwork_mem = '8MB'\n\n  # " + InPlaceFixture.LOCK
                    + " is a comment\nsearch_path = '\"$user\", public'";
            Files.writeString(f.autoConf(), odd);
            Files.setPosixFilePermissions(f.autoConf(), PosixFilePermissions.fromString("r--------"));
            AgentRun run = f.run(shell, "enable", Map.of());
            f.armAndStop(run);
            run.awaitEnd(0);
            assertThat(f.autoConfText()).isEqualTo(odd + "\n");
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(f.autoConf(), LinkOption.NOFOLLOW_LINKS)))
                    .isEqualTo("r--------");
            assertThat(Files.getAttribute(f.autoConf(), "unix:uid"))
                    .isEqualTo(f.postgres().uid());
            f.assertServes("on");
            assertThat(f.postgres().query("show work_mem")).isEqualTo("8MB");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void alterSystemOfOthersWhileArmedIsKept_A5(TestShell shell) {
        try (InPlaceFixture f = InPlaceFixture.withoutChecksums()) {
            AgentRun run = f.run(shell, "enable", Map.of());
            f.arm(run);
            f.postgres().execute("alter system set work_mem = '9MB'");
            f.postgres().stop(StopMode.FAST);
            run.awaitEnd(0);
            f.assertServes("on");
            assertThat(f.postgres().query("show work_mem")).isEqualTo("9MB");
        }
    }

    @Test
    void alterSystemResetAllTakesTheLine_A4_A5() {
        try (InPlaceFixture f = InPlaceFixture.withoutChecksums()) {
            AgentRun run = f.run(SH, "enable", Map.of());
            f.arm(run);
            f.postgres().execute("alter system reset all");
            run.awaitFailure(1, "InterlockLost");
            assertThat(f.postgres().isRunning()).isTrue();
            f.assertServes("off");
        }
    }

    @Test
    void lineLostAsTheServerStops_A4() {
        try (InPlaceFixture f = SHARED.borrowed()) {
            FakeTools tools = new FakeTools(f.postgres()).pauseBefore("mv", 1);
            AgentRun run = f.run(SH, "enable", tools, Map.of());
            f.armAndStop(run);
            tools.awaitPaused();
            f.removeLine();
            tools.release();
            run.awaitFailure(1, "InterlockLost");
            assertThat(run.steps()).doesNotContain("rewriting", "converted");
            f.assertServes("off");
        }
    }

    @Test
    void noServerStartsWhileTheLineStands_A1() {
        try (InPlaceFixture f = InPlaceFixture.withoutChecksums()) {
            FakeTools tools = new FakeTools(f.postgres()).stopMidRewrite();
            AgentRun run = f.run(SH, "enable", tools, Map.of());
            f.armAndStop(run);
            tools.awaitPaused();
            ToolResult start = f.postgres().run("postgres", "-D", f.data().toString());
            assertThat(start.exitCode()).isEqualTo(1);
            assertThat(start.output()).contains(InPlaceFixture.LOCK, "contains errors");
            run.signal("TERM");
            run.awaitFailure(143, "Stopped");
            f.assertServes("off");
        }
    }

    /** A postmaster that had read its configuration before the line was written, and goes on when the other has stopped. */
    @Test
    void aServerThatStartsBeforeTheWalIsAway_A12() {
        try (InPlaceFixture f = InPlaceFixture.withoutChecksums()) {
            FakeTools tools = new FakeTools(f.postgres()).pauseBefore("mv", 1);
            AgentRun run = f.run(SH, "enable", tools, Map.of());
            f.armAndStop(run);
            tools.awaitPaused();
            f.removeLine();
            f.postgres().start();
            f.writeLine();
            tools.release();
            run.awaitFailure(1, "ServerStarted");
            assertThat(run.steps()).doesNotContain("rewriting", "converted");
            assertThat(f.postgres().isRunning()).isTrue();
            f.assertServes("off");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void aServerThatStartsWhileTheWalIsAwayDoesNotGetThrough_A13(TestShell shell) {
        try (InPlaceFixture f = SHARED.borrowed()) {
            FakeTools tools = new FakeTools(f.postgres()).pauseBefore("pg_checksums", 2);
            AgentRun run = f.run(shell, "enable", tools, Map.of());
            f.armAndStop(run);
            tools.awaitPaused();
            f.removeLine();
            ToolResult start = f.postgres().run("postgres", "-D", f.data().toString());
            assertThat(start.exitCode()).isEqualTo(1);
            assertThat(start.output()).contains("required WAL directory \"pg_wal\" does not exist");
            f.writeLine();
            tools.release();
            run.awaitEnd(0);
            f.assertServes("on");
            f.assertEveryPageSound();
        }
    }

    @Test
    void aBackendKilledWhileArmedChangesNothing_A7() {
        try (InPlaceFixture f = SHARED.borrowed()) {
            AgentRun run = f.run(SH, "enable", Map.of());
            f.arm(run);
            String writer = "select pid from pg_stat_activity where backend_type = 'walwriter'";
            String killed = f.postgres().query(writer);
            f.shell("kill -KILL " + killed);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> f.postgres().query(writer), now -> now != null && !now.equals(killed));
            f.postgres().stop(StopMode.FAST);
            run.awaitEnd(0);
            f.assertServes("on");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void aPostmasterKilledWhileArmedIsNotKeptDown_B16(TestShell shell) {
        try (InPlaceFixture f = SHARED.borrowed()) {
            AgentRun run = f.run(shell, "enable", Map.of("DCK_ARMED_FOR", "600"));
            f.arm(run);
            f.postgres().kill9();
            run.awaitFailure(1, "ServerVanished");
            f.assertServes("off");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void anImmediateStopIsNoCleanOne_B16(TestShell shell) {
        try (InPlaceFixture f = SHARED.borrowed()) {
            AgentRun run = f.run(shell, "enable", Map.of());
            f.arm(run);
            f.postgres().stop(StopMode.IMMEDIATE);
            run.awaitFailure(1, "NotClean");
            assertThat(run.steps()).doesNotContain("rewriting", "converted");
            f.assertServes("off");
        }
    }
}

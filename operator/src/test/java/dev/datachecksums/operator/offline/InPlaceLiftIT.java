package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.datachecksums.operator.postgres.LocalPostgres.StopMode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Mode lift: right from any state, and harmless where nothing is to be lifted. */
class InPlaceLiftIT {
    private static final TestShell SH = TestShell.system();

    @RegisterExtension
    static final SharedServer SHARED = new SharedServer();

    static List<TestShell> shells() {
        return TestShell.installed();
    }

    private static AgentRun lift(InPlaceFixture f, TestShell shell) {
        AgentRun run = f.run(shell, "lift", Map.of());
        assertThat(run.awaitEnd(0).path("step").asText()).isEqualTo("lifted");
        return run;
    }

    @ParameterizedTest
    @MethodSource("shells")
    void aServingServerLosesTheLineAndNothingElse(TestShell shell) {
        try (InPlaceFixture f = InPlaceFixture.withoutChecksums()) {
            f.postgres().execute("alter system set work_mem = '8MB'");
            String before = f.autoConfText();
            f.writeLine();
            AgentRun run = lift(f, shell);
            JsonNode restored = run.awaitStep("restored");
            assertThat(restored.path("line").asBoolean()).isTrue();
            assertThat(restored.path("wal").asBoolean(true)).isFalse();
            assertThat(f.autoConfText()).isEqualTo(before + "\n");
            f.assertServes("off");
            assertThat(lift(f, shell).steps()).containsExactly("started", "lifted");
            assertThat(f.autoConfText()).isEqualTo(before + "\n");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void aLineWithoutItsNewlineAndOneGluedToAnother_A3(TestShell shell) {
        try (InPlaceFixture f = InPlaceFixture.withoutChecksums()) {
            f.postgres().stop(StopMode.FAST);
            f.shell("printf \"# one\\nwork_mem = '8MB'\" >\"$A\"; printf \"" + InPlaceFixture.LOCK
                    + " = 'x'\" >>\"$A\"");
            lift(f, shell);
            assertThat(f.autoConfText()).isEqualTo("# one\nwork_mem = '8MB'");
            f.shell("printf \"\\n" + InPlaceFixture.LOCK + " = 'x'\" >>\"$A\"");
            lift(f, shell);
            assertThat(f.autoConfText()).isEqualTo("# one\nwork_mem = '8MB'\n");
            f.assertServes("off");
        }
    }

    @Test
    void anotherNameThatBeginsAlikeStays() {
        try (InPlaceFixture f = InPlaceFixture.withoutChecksums()) {
            f.postgres().stop(StopMode.FAST);
            String others = "my." + InPlaceFixture.LOCK + " = 'x'\ncluster_name = '" + InPlaceFixture.LOCK + " = 1'\n";
            f.shell("printf '%s' \"" + others + "\" >\"$A\"; printf \"" + InPlaceFixture.LOCK + " = 'x'\\n\" >>\"$A\"");
            lift(f, SH);
            assertThat(f.autoConfText()).isEqualTo(others);
            f.assertServes("off");
        }
    }

    @Test
    void anEmptyWalDirectoryThatSomebodyMadeGivesWay() {
        try (InPlaceFixture f = SHARED.borrowed()) {
            f.postgres().stop(StopMode.FAST);
            f.shell("mv \"$D/pg_wal\" \"$D/pg_wal.dck\"; mkdir \"$D/pg_wal\"");
            lift(f, SH);
            f.assertServes("off");
        }
    }

    @Test
    void twoWalDirectoriesAreForAPerson() {
        try (InPlaceFixture f = SHARED.borrowed()) {
            f.postgres().stop(StopMode.FAST);
            f.shell("cp -R \"$D/pg_wal\" \"$D/pg_wal.dck\"");
            JsonNode last = f.run(SH, "lift", Map.of()).awaitEnd(1);
            assertThat(last.path("reason").asText()).isEqualTo("WalAmbiguous");
            assertThat(last.path("lifted").asBoolean(true)).isFalse();
            f.shell("rm -r \"$D/pg_wal.dck\"");
            f.assertServes("off");
        }
    }

    @Test
    void noWalAtAllIsSaid() {
        try (InPlaceFixture f = SHARED.borrowed()) {
            f.postgres().stop(StopMode.FAST);
            f.shell("mv \"$D/pg_wal\" \"$D/../kept-wal\"");
            JsonNode last = f.run(SH, "lift", Map.of()).awaitEnd(1);
            assertThat(last.path("reason").asText()).isEqualTo("WalMissing");
            f.shell("mv \"$D/../kept-wal\" \"$D/pg_wal\"");
            f.assertServes("off");
        }
    }

    @Test
    void needsNoServersTools() {
        try (InPlaceFixture f = SHARED.borrowed()) {
            f.postgres().stop(StopMode.FAST);
            f.writeLine();
            f.run(SH, "lift", Map.of("DCK_BINDIR", "/nowhere")).awaitEnd(0);
            f.assertServes("off");
        }
    }
}

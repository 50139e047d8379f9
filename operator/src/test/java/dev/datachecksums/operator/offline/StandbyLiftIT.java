package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.datachecksums.operator.offline.StandbyFixture.Way;
import dev.datachecksums.operator.postgres.Interlock;
import dev.datachecksums.operator.postgres.LocalPostgres.StopMode;
import dev.datachecksums.operator.postgres.ToolResult;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found without a memory of it: the script of a copy lifts after either road, the other one leaves a copy's remains alone. */
class StandbyLiftIT {
    private static final TestShell SH = TestShell.system();
    private static final String LINE = "printf '\\n%s = %s\\n' " + InPlaceFixture.LOCK + " \"'x'\" >>\"$A\"; ";
    private static final String LINE_TOO = "the line, too";
    private static StandbyFixture f;

    @BeforeAll
    static void start() {
        f = StandbyFixture.withoutChecksums();
    }

    @AfterAll
    static void stop() {
        f.close();
    }

    private static void lift() {
        JsonNode last =
                f.run(SH, "lift", Way.ATOMIC, Map.of("DCK_HOST", "127.0.0.1")).awaitEnd(0);
        assertThat(last.path("step").asText()).isEqualTo("lifted");
        assertThat(last.path("copy").asBoolean(true)).isFalse();
    }

    /** The server says that pg_wal is away, as it says that the line stands: that is how it is noticed. */
    private static void assertRefusesToStart() {
        ToolResult refused = f.postgres().run("postgres", "-D", f.data().toString());
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(Interlock.refusesIn(refused.output())).as(refused.output()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", LINE_TOO, "mkdir \"$D/pg_wal\"; "})
    void afterAConversionInPlace(String more) {
        f.postgres().stop(StopMode.FAST);
        f.shell("mv \"$D/pg_wal\" \"$D/pg_wal.dck\"; " + (more.equals(LINE_TOO) ? LINE : more));
        if (!more.startsWith("mkdir")) {
            assertRefusesToStart();
        }
        lift();
        f.assertServes("off");
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void afterAConversionByACopy(Way way) {
        f.postgres().stop(StopMode.FAST);
        f.shell("mkdir -p '" + f.place(way) + "/new'; mv \"$D/pg_wal\" '" + f.place(way) + "/wal'");
        assertRefusesToStart();
        AgentRun other = AgentRun.start(f.postgres(), SH, "lift", Map.of());
        JsonNode last = other.awaitEnd(1);
        assertThat(last.path("reason").asText()).isEqualTo("WalMissing");
        other.close();
        assertThat(last.path("lifted").asBoolean(true)).isFalse();
        lift();
        f.assertServes("off");
    }

    @Test
    void twoWalDirectoriesAreForAPerson() {
        f.postgres().stop(StopMode.FAST);
        f.shell("cp -R \"$D/pg_wal\" \"$D/pg_wal.dck\"");
        JsonNode last = f.run(SH, "lift", Way.ATOMIC, Map.of()).awaitEnd(1);
        assertThat(last.path("reason").asText()).isEqualTo("WalAmbiguous");
        assertThat(last.path("lifted").asBoolean(true)).isFalse();
        f.shell("rm -r \"$D/pg_wal.dck\"");
        f.assertServes("off");
    }

    @Test
    void noWalAtAllIsNoneOfOurs() {
        f.postgres().stop(StopMode.FAST);
        f.shell("mv \"$D/pg_wal\" \"$D/../kept-wal\"");
        f.run(SH, "lift", Way.ATOMIC, Map.of()).awaitFailure(1, "WalMissing");
        f.shell("mv \"$D/../kept-wal\" \"$D/pg_wal\"");
        f.assertServes("off");
    }
}

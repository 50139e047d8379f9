package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.datachecksums.operator.offline.StandbyFixture.Way;
import dev.datachecksums.operator.postgres.LocalPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What must not be swapped in is not, and the server serves on: every exit leaves no slot, no copy, no line. */
class StandbyTroubleIT {
    private static final TestShell SH = TestShell.system();

    private static StandbyFixture f;

    @BeforeAll
    static void start() {
        f = StandbyFixture.withoutChecksums();
    }

    @AfterAll
    static void stop() {
        f.close();
    }

    private static void assertFailed(AgentRun run, int status, String reason) {
        JsonNode last = run.awaitFailure(status, reason);
        assertThat(last.path("slot").isBoolean()).isTrue();
        assertThat(last.path("slot").asBoolean()).isFalse();
        assertThat(last.path("copy").asBoolean()).isFalse();
        assertThat(run.steps()).doesNotContain("swapped", "converted");
        f.assertServes("off");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Unlogged | create unlogged table odd as select 1 | drop table odd",
                "Unlogged | create unlogged table odd (id serial) | drop table odd",
                "AccessMethods | create access method mine type table handler heap_tableam_handler; create table odd using mine as select 1 | drop table odd; drop access method mine",
                "ClosedDatabase | create database odd allow_connections false | drop database odd",
            })
    void refusesWhatACopyWouldNotHold(String reason, String before, String after) {
        f.postgres().execute(before.split(";"));
        try {
            AgentRun run = f.run(SH, "enable", Way.ATOMIC, Map.of());
            assertFailed(run, 2, reason);
            assertThat(run.steps()).doesNotContain("copying");
        } finally {
            f.postgres().execute(after.split(";"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "wal_level, minimal, max_wal_senders, 0, WalLevel",
        "max_replication_slots, 0, max_wal_senders, 0, NoFreeSlot"
    })
    void refusesAServerWhoseWalCannotBeFollowed(String name, String value, String other, String value2, String reason) {
        try (StandbyFixture own =
                new StandbyFixture(LocalPostgres.builder().set(name, value).set(other, value2))) {
            own.run(SH, "enable", Way.ATOMIC, Map.of()).awaitFailure(2, reason);
            own.assertServes("off");
        }
    }

    @Test
    void refusesWhereThereIsNoRoom() {
        AgentRun run = f.run(SH, "enable", Way.ATOMIC, Map.of("DCK_FLOOR", "99999999999999"));
        assertFailed(run, 2, "NoRoom");
    }

    @Test
    void refusesAHostThatIsAnotherServer() {
        try (LocalPostgres other = LocalPostgres.builder().start()) {
            AgentRun run = f.run(SH, "enable", Way.ATOMIC, Map.of("DCK_PORT", Integer.toString(other.port())));
            assertFailed(run, 2, "BadHost");
        }
    }

    /** At 4 MB a second the copy takes long enough for the volume to fill meanwhile. */
    @Test
    void dropsCopyAndSlotBeforeTheVolumeIsFull() {
        FakeTools tools = new FakeTools(f.postgres())
                .replace(
                        "df",
                        "[ $n -gt 3 ] || exec \"$real\" \"$@\"; printf 'f 1024-blocks u a c m\\nd 9 9 0 100%% /\\n'");
        AgentRun run = f.run(
                SH,
                "enable",
                Way.ATOMIC,
                Map.of(
                        "DCK_MAX_COPY_RATE",
                        "4000000",
                        "DCK_BINDIR",
                        tools.directory().toString()));
        assertFailed(run, 1, "NoRoom");
        assertThat(run.steps()).contains("copying").doesNotContain("copied");
    }

    @Test
    void copiesNoFasterThanItMay() {
        AgentRun run = f.run(SH, "enable", Way.ATOMIC, Map.of("DCK_MAX_COPY_RATE", "8000000"));
        JsonNode copied = run.awaitStep("copied");
        JsonNode first = run.awaitStep("copying");
        long least = (copied.path("bytes").asLong() - 4_000_000) / 8_000;
        assertThat(copied.path("ms").asLong() - first.path("ms").asLong()).isGreaterThan(least / 2);
        run.signal("TERM");
        assertFailed(run, 143, "Stopped");
    }

    @ParameterizedTest
    @CsvSource({
        "UnloggedCameUp, create unlogged table odd as select 1, drop table odd",
        "TablespaceCameUp, create tablespace odd location '%s', drop tablespace odd"
    })
    void looksAgainBeforeTheStop(String reason, String before, String after) throws IOException {
        f.shell("mkdir -p $D/../space");
        AgentRun run = f.run(SH, "enable", Way.JOURNAL, Map.of());
        run.awaitStep("ready");
        f.postgres().execute(before.formatted(f.data().resolveSibling("space")));
        f.shell("printf '\\n%s = 1\\n' " + InPlaceFixture.LOCK + " >>\"$A\"");
        try {
            assertFailed(run, 1, reason);
        } finally {
            f.postgres().execute(after);
        }
    }

    /** A page that is damaged once it carries a checksum is found before the server is stopped. */
    @Test
    void aByteThatFlipsInTheCopyIsFound() {
        // Version, enable, check.
        FakeTools tools = new FakeTools(f.postgres()).pauseBefore("pg_checksums", 3);
        AgentRun run = f.run(SH, "enable", Way.ATOMIC, tools);
        tools.awaitPaused();
        String file = f.postgres().query("select pg_relation_filepath('kept')");
        f.shell("printf '\\377' | dd of=" + f.place(Way.ATOMIC) + "/new/" + file
                + " bs=1 seek=20000 conv=notrunc 2>/dev/null");
        tools.release();
        assertFailed(run, 1, "CopyBroken");
        assertThat(run.steps()).doesNotContain("ready");
    }

    /** A chain of WAL that ends early is taken by every recovery for the end of the WAL. */
    @ParameterizedTest
    @EnumSource
    void aCopyThatDoesNotReachTheLastCheckpointIsNotSwappedIn(Way way) {
        FakeTools tools = new FakeTools(f.postgres()).pauseBefore("ln", 1);
        AgentRun run = f.run(SH, "enable", way, tools);
        f.arm(run);
        f.postgres().execute("create table bulk as select repeat('b', 1000) from generate_series(1, 40000)");
        String segment = f.postgres().query("select pg_walfile_name(pg_current_wal_lsn() - 16777216)");
        f.postgres().stop(LocalPostgres.StopMode.FAST);
        tools.awaitPaused();
        f.shell("truncate -s 1000000 " + f.place(way) + "/wal/" + segment);
        tools.release();
        JsonNode last = run.awaitFailure(1, "ProofFailed");
        assertThat(last.path("message").asText()).contains("the old directory serves on");
        assertThat(run.steps()).contains("handedOver").doesNotContain("proven", "swapped");
        f.assertServes("off");
        assertThat(f.postgres().query("select count(*) from bulk")).isEqualTo("40000");
        f.postgres().execute("drop table bulk");
    }

    /** Statements that other tools would send at the worst moment. */
    @Test
    void alterSystemBesideTheLiftIsKept() throws IOException {
        AgentRun run = f.run(SH, "enable", Way.ATOMIC, Map.of());
        f.arm(run);
        f.postgres().execute("alter system set work_mem = '7MB'");
        run.signal("TERM");
        assertFailed(run, 143, "Stopped");
        assertThat(Files.readString(f.data().resolve("postgresql.auto.conf"))).contains("work_mem = '7MB'");
        // Told by the script to read it again: while the line stood no server would take it.
        assertThat(f.postgres().query("show work_mem")).isEqualTo("7MB");
    }
}

package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.datachecksums.operator.postgres.LocalPostgres;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the in-place script refuses while the server serves: nothing is touched, and the reason is named. One server for all of it. */
class InPlaceGateIT {
    private static final TestShell SH = TestShell.system();
    private static InPlaceFixture f;

    @BeforeAll
    static void start() {
        f = InPlaceFixture.withoutChecksums();
        f.shell("mkdir -m 700 \"$D/../space\"");
        f.postgres()
                .execute(
                        "create tablespace elsewhere location '"
                                + f.postgres().home().resolve("space") + "'",
                        "create table there tablespace elsewhere as select generate_series(1, 1000) id",
                        "checkpoint");
        f.shell("cp \"$A\" \"$D/../as-it-was\"");
    }

    @AfterAll
    static void stop() {
        f.close();
    }

    @AfterEach
    void theServerServesOnUntouched() {
        f.assertServes("off");
        assertThat(f.postgres().query("select count(*) from there")).isEqualTo("1000");
    }

    /** Tampers, runs, expects the refusal, and puts it right again. */
    private static JsonNode refused(TestShell shell, String reason, String tamper, String repair) {
        f.shell(tamper);
        try (AgentRun run = AgentRun.start(f.postgres(), shell, "enable", Map.of())) {
            JsonNode last = run.awaitFailure(2, reason);
            assertThat(run.steps()).containsExactly("started", "refused");
            return last;
        } finally {
            f.shell(repair);
        }
    }

    static List<Arguments> stray() {
        List<Arguments> all = new ArrayList<>();
        for (TestShell shell : TestShell.installed()) {
            for (String name : List.of(
                    "base/1/foo",
                    "base/1/12345.bak",
                    "base/1/.nfs0001",
                    "base/core.1",
                    "base/1/16384.0",
                    "base/1/16384_old",
                    "global/pg_control.bak",
                    "pg_tblspc/*/PG_*/note")) {
                all.add(Arguments.of(name, shell));
            }
        }
        return all;
    }

    /** Whole pages, so that pg_checksums would take some of them for relations and write into them. */
    @ParameterizedTest
    @MethodSource("stray")
    void strayFile_D(String name, TestShell shell) {
        JsonNode last = refused(
                shell,
                "StrayFile",
                "cd $D/" + directory(name) + "; head -c 8192 /dev/zero >" + file(name),
                "rm $D/" + name);
        assertThat(last.path("message").asText()).contains("/" + file(name) + " ");
    }

    private static String directory(String name) {
        return name.substring(0, name.lastIndexOf('/'));
    }

    private static String file(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    @Test
    void strayDirectoryWithAFile_D() {
        refused(SH, "StrayFile", "mkdir $D/base/lost+found; echo >$D/base/lost+found/x", "rm -r $D/base/lost+found");
    }

    @Test
    void strayLink_D() {
        refused(SH, "StrayFile", "ln -s /etc $D/base/1/999999", "rm $D/base/1/999999");
    }

    @Test
    void aStrangeNameIsQuoted() {
        JsonNode last = refused(
                SH, "StrayFile", "echo >\"$D/base/1/we\\\"ird \\\\ name\"", "rm \"$D/base/1/we\\\"ird \\\\ name\"");
        assertThat(last.path("message").asText()).contains("/base/1/we\"ird \\ name is no relation's file");
    }

    @ParameterizedTest
    @MethodSource("shells")
    void sizeThatIsNoMultipleOfAPage_D(TestShell shell) {
        refused(shell, "BadSize", "head -c 8193 /dev/zero >$D/base/1/999999", "rm $D/base/1/999999");
    }

    @ParameterizedTest
    @MethodSource("shells")
    void unreadableFile_D(TestShell shell) {
        refused(shell, "Unreadable", ": >$D/base/1/999999; chmod 0 $D/base/1/999999", "rm -f $D/base/1/999999");
    }

    @Test
    void unreadableDirectory_D() {
        refused(SH, "Unreadable", "mkdir -m 0 $D/base/999999", "rmdir $D/base/999999");
    }

    @ParameterizedTest
    @MethodSource("shells")
    void whatPgChecksumsIgnoresIsNoHindrance_D(TestShell shell) {
        f.shell(
                "mkdir -p $D/base/pgsql_tmp $D/../space/PG_1_1; cd $D/base; echo >pgsql_tmp/pgsql_tmp1.0; echo >.DS_Store; "
                        + "echo >pgsql_tmp7; echo >1/pg_internal.init.99; echo >$D/../space/PG_1_1/foo; : >1/t3_999999");
        try (AgentRun run = AgentRun.start(f.postgres(), shell, "enable", Map.of())) {
            run.awaitStep("ready");
            run.signal("TERM");
            run.awaitFailure(143, "Stopped");
        } finally {
            f.shell(
                    "cd $D/base; rm -r pgsql_tmp .DS_Store pgsql_tmp7 1/pg_internal.init.99 1/t3_999999 $D/../space/PG_1_1");
        }
    }

    @ParameterizedTest
    @CsvSource({"/dev/null", "nowhere", "postgresql.conf"})
    void autoConfIsALink_A2(String target) {
        refused(SH, "AutoConf", "rm $A; ln -s " + target + " $A", "rm $A; cp $D/../as-it-was $A");
    }

    @Test
    void autoConfIsMissing_A2() {
        refused(SH, "AutoConf", "rm $A", "cp $D/../as-it-was $A");
    }

    @ParameterizedTest
    @MethodSource("shells")
    void tablespaceIsNotMounted(TestShell shell) {
        refused(
                shell,
                "Tablespace",
                "cd $D/../space; mv PG_* ../away; mkdir PG_1_1",
                "cd $D/../space; rmdir PG_1_1; mv ../away PG_$(cat $D/PG_VERSION)_$(pg_controldata $D | sed -n 's/^Catalog version number: *//p')"
                        .replace(
                                "pg_controldata",
                                f.postgres().bin().resolve("pg_controldata").toString()));
    }

    @ParameterizedTest
    @MethodSource("shells")
    void walIsNotMounted(TestShell shell) {
        refused(
                shell,
                "WalNotHere",
                "cd $D/pg_wal; mkdir ../../segments; mv 0* ../../segments",
                "mv $D/../segments/0* $D/pg_wal; rmdir $D/../segments");
    }

    @Test
    void anotherUser() {
        FakeTools tools = new FakeTools(f.postgres()).replace("id", "echo 4242");
        try (AgentRun run = AgentRun.start(
                f.postgres(),
                SH,
                "enable",
                Map.of("DCK_BINDIR", tools.directory().toString()))) {
            JsonNode last = run.awaitFailure(2, "WrongUser");
            assertThat(last.path("message").asText())
                    .contains("4242", Integer.toString(f.postgres().uid()));
        } finally {
            f.shell("rm -rf '" + tools.directory() + "'/*");
            delete(tools);
        }
    }

    @ParameterizedTest
    @CsvSource({"pg_checksums, 14.2", "pg_controldata, 16beta1", "pg_isready, 9.6.1"})
    void toolOfAnotherMajor_D(String tool, String version) {
        FakeTools tools =
                new FakeTools(f.postgres()).replace(tool, "echo '" + tool + " (PostgreSQL) " + version + " (X)'");
        try (AgentRun run = AgentRun.start(
                f.postgres(),
                SH,
                "enable",
                Map.of("DCK_BINDIR", tools.directory().toString()))) {
            JsonNode last = run.awaitFailure(2, "ToolMatches");
            assertThat(last.path("message").asText()).contains(tool + " is of version " + version);
        } finally {
            delete(tools);
        }
    }

    @Test
    void toolMissing() {
        LocalPostgres postgres = f.postgres();
        FakeTools tools = new FakeTools(postgres).replace("pg_checksums", "exit 127");
        try (AgentRun run = AgentRun.start(
                postgres, SH, "enable", Map.of("DCK_BINDIR", tools.directory().toString()))) {
            run.awaitFailure(2, "ToolMatches");
        } finally {
            delete(tools);
        }
    }

    @Test
    void alreadyInTheState_D() {
        try (AgentRun run = AgentRun.start(f.postgres(), SH, "disable", Map.of())) {
            run.awaitFailure(2, "AlreadyInState");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "DCK_MODE, both, BadInput",
        "DCK_LOCK, a.b, BadInput",
        "DCK_ARMED_FOR, soon, BadInput",
        "DCK_MAX_OUTAGE, 1.5, BadInput",
        "DCK_SYNC, none, BadInput",
        "PGDATA, /nowhere, NoDataDirectory"
    })
    void badInput(String name, String value, String reason) {
        try (AgentRun run = AgentRun.start(f.postgres(), SH, "enable", Map.of(name, value))) {
            run.awaitFailure(2, reason);
        }
    }

    @Test
    void syncfsIsTakenFrom17On() {
        int major = Integer.parseInt(
                String.valueOf(f.postgres().query("select current_setting('server_version_num')::int / 10000")));
        try (AgentRun run = AgentRun.start(f.postgres(), SH, "enable", Map.of("DCK_SYNC", "syncfs"))) {
            if (major >= 17) {
                run.awaitStep("ready");
            } else {
                run.awaitFailure(2, "SyncUnsupported");
            }
        }
    }

    private static void delete(FakeTools tools) {
        f.shell("rm -rf '" + tools.directory() + "'/* '" + tools.directory() + "'");
    }

    static List<TestShell> shells() {
        return TestShell.installed();
    }
}

package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.offline.StandbyFixture.Way;
import dev.datachecksums.operator.postgres.LocalPostgres.StopMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The copy is made, kept up, proven and swapped in; or it is not, and the server serves on as before. */
class StandbyScriptIT {
    private static final TestShell SH = TestShell.system();

    static List<Arguments> shellsAndWays() {
        List<Arguments> all = new ArrayList<>();
        for (TestShell shell : TestShell.installed()) {
            for (Way way : Way.values()) {
                // BusyBox cannot exchange two directories at once: whatever is asked for, it takes the journal.
                if (way == Way.JOURNAL || !shell.ownToolsFirst()) {
                    all.add(Arguments.of(shell, way));
                }
            }
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("shellsAndWays")
    void convertsWhileTheServerServes(TestShell shell, Way way) throws IOException {
        try (StandbyFixture f = StandbyFixture.withoutChecksums()) {
            f.postgres()
                    .execute(
                            "create sequence counted",
                            "select nextval('counted') from generate_series(1, 77)",
                            "alter system set work_mem = '5MB'");
            String before = f.postgres().controlData("Latest checkpoint's TimeLineID");
            AgentRun run = f.run(shell, "enable", way, Map.of());
            run.awaitStep("ready");
            // What comes after the copy: rows, a database, configuration in every place.
            f.postgres()
                    .execute(
                            "insert into kept select id, repeat('n', 50) from generate_series(20001, 30000) id",
                            "create database later",
                            "alter system set work_mem = '9MB'",
                            "select count(*) from kept where id % 7 = 0");
            f.shell("printf 'log_statement = ddl\\n' >>$D/postgresql.conf; printf '# mine\\n' >>$D/pg_hba.conf;"
                    + " mkdir $D/own; printf key >$D/own/server.key; chmod 600 $D/own/server.key");
            f.rowsAre();
            String scans = "select seq_scan from pg_stat_user_tables where relname = 'kept'";
            int counted = Integer.parseInt(String.valueOf(f.postgres().query(scans)));
            f.switchOver(run);
            assertThat(run.steps())
                    .containsSubsequence(
                            "started",
                            "copying",
                            "copied",
                            "recovered",
                            "copyConverted",
                            "following",
                            "verifying",
                            "ready",
                            "armed",
                            "stopped",
                            "handedOver",
                            "proven",
                            "swapped",
                            "converted",
                            "lifted",
                            "serving",
                            "cleaned",
                            "done");
            assertThat(run.awaitStep("copying").path("way").asText())
                    .isEqualTo(way == Way.ATOMIC ? "atomic" : "journal");
            assertThat(run.awaitStep("proven").path("location"))
                    .isEqualTo(run.awaitStep("handedOver").path("location"));
            f.assertServes("on");
            assertThat(f.postgres().controlData("Latest checkpoint's TimeLineID"))
                    .isEqualTo(before);
            assertThat(f.postgres().query("show work_mem")).isEqualTo("9MB");
            assertThat(f.postgres().query("show log_statement")).isEqualTo("ddl");
            assertThat(f.postgres().query("select count(*) from pg_database where datname = 'later'"))
                    .isEqualTo("1");
            // As after a crash it may jump by up to 32.
            assertThat(Integer.parseInt(String.valueOf(f.postgres().query("select nextval('counted')"))))
                    .isBetween(78, 110);
            assertThat(Integer.parseInt(String.valueOf(f.postgres().query(scans))))
                    .isGreaterThanOrEqualTo(counted);
            assertThat(f.data().resolve("pg_hba.conf")).content().contains("# mine");
            assertThat(f.data().resolve("own/server.key")).hasContent("key");
            f.assertEveryPageSound();
        }
    }

    @ParameterizedTest
    @CsvSource({"ATOMIC, wal", "ATOMIC, ../wal", "JOURNAL, ../wal"})
    void walBehindALinkOfEitherKindStaysWhereItIs(Way way, String target) throws IOException {
        try (StandbyFixture f = StandbyFixture.withoutChecksums()) {
            f.postgres().stop(StopMode.FAST);
            Path elsewhere = f.postgres().home().resolve("wal");
            String link = target.startsWith("..") ? target : elsewhere.toString();
            f.shell("mv \"$D/pg_wal\" '" + elsewhere + "'; ln -s '" + link + "' \"$D/pg_wal\"");
            f.postgres().start();
            AgentRun run = f.run(SH, "enable", way, Map.of());
            f.switchOver(run);
            assertThat(Files.readSymbolicLink(f.data().resolve("pg_wal"))).hasToString(link);
            f.assertServes("on");
            f.assertEveryPageSound();
        }
    }
}

package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.offline.StandbyFixture.Way;
import dev.datachecksums.operator.postgres.LocalPostgres;
import dev.datachecksums.operator.postgres.LocalPostgresBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Configuration of a primary that only a standby goes by, and that would have a copy act outside of itself, stop early or never come. */
class StandbyMisledIT {
    /** Each leaves a trace beside the data directory if it runs. */
    private static LocalPostgresBuilder misleading() {
        LocalPostgresBuilder builder = LocalPostgres.builder()
                .set("archive_mode", "always")
                .set("archive_command", "echo %f >>../archived")
                .set("archive_cleanup_command", "echo %r >>../pruned")
                .set("recovery_end_command", "touch ../ended")
                .set("restore_command", "touch ../restored; false")
                .set("external_pid_file", "../external.pid")
                .set("hot_standby", "off")
                .set("recovery_min_apply_delay", "1h")
                .set("recovery_target_time", "2001-01-01 00:00:00+00")
                .set("recovery_target_action", "promote")
                .set("primary_conninfo", "host=127.0.0.1 port=1 user=nobody")
                .set("primary_slot_name", "of_nobody")
                .set("synchronous_standby_names", "")
                .set("logging_collector", "on")
                .set("log_directory", "../logs");
        return builder;
    }

    @ParameterizedTest
    @EnumSource
    void theCopyGoesByNoneOfIt(Way way) throws Exception {
        try (StandbyFixture f = new StandbyFixture(misleading())) {
            Path pidFile = f.data().resolveSibling("external.pid");
            String pid = Files.readString(pidFile).strip();
            AgentRun run = f.run(TestShell.system(), "enable", way, Map.of());
            run.awaitStep("ready");
            assertThat(pidFile).as("the live server's own").hasContent(pid);
            List<String> logs = names(f.data().resolveSibling("logs"));
            f.switchOver(run);
            assertThat(run.steps()).contains("proven", "swapped");
            assertThat(f.data().resolveSibling("pruned")).doesNotExist();
            assertThat(f.data().resolveSibling("ended")).doesNotExist();
            assertThat(f.data().resolveSibling("restored")).doesNotExist();
            // The live server's, and the one of its next start.
            assertThat(names(f.data().resolveSibling("logs")))
                    .hasSizeLessThanOrEqualTo(logs.size() + 1)
                    .containsAll(logs);
            String last = f.postgres().query("select pg_walfile_name(pg_switch_wal())");
            Awaitility.await()
                    .until(() -> Files.readAllLines(f.data().resolveSibling("archived"))
                            .contains(last));
            assertThat(Files.readAllLines(f.data().resolveSibling("archived"))).doesNotHaveDuplicates();
            assertThat(f.postgres().query("show recovery_min_apply_delay")).isEqualTo("1h");
            f.assertServes("on");
            f.assertEveryPageSound();
        }
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(Path::toString).toList();
        }
    }
}

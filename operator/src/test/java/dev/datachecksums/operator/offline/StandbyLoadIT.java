package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.offline.StandbyFixture.Way;
import dev.datachecksums.operator.postgres.LocalPostgres;
import dev.datachecksums.operator.postgres.LocalPostgres.StopMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A conversion under a load that makes recovery hard, with everything that hangs on a primary: an archive and a base backup from before, a
 * streaming standby, a logical subscriber, a prepared transaction, statistics, a library that would write.
 */
class StandbyLoadIT {
    private static final String LEDGER = "select count(*) || ' ' || count(distinct id) || ' ' || sum(id) from ledger";

    @ParameterizedTest
    @EnumSource
    void nothingThatHangsOnThePrimaryNotices(Way way) throws Exception {
        try (StandbyFixture f = new StandbyFixture(LocalPostgres.builder()
                .set("wal_level", "logical")
                .set("max_prepared_transactions", "10")
                .set("archive_mode", "on")
                // Each copy is noted: a segment that is archived twice shows.
                .set("archive_command", "cd ../archive && echo %f >>../archived && cp \"$OLDPWD/%p\" %f")
                .set("full_page_writes", "off")
                .set("max_wal_size", "32MB")
                .set("max_locks_per_transaction", "200")
                .set("shared_preload_libraries", "pg_prewarm")
                .set("pg_prewarm.autoprewarm_interval", "1s"))) {
            LocalPostgres primary = f.postgres();
            f.shell("mkdir $D/../archive");
            primary.execute("select pg_stat_reset()", "create extension amcheck");
            Path backup = primary.home().resolve("backup");
            try (NastyLoad load = new NastyLoad(primary)) {
                primary.run(
                                "pg_basebackup",
                                "-D",
                                backup.toString(),
                                "-h",
                                primary.home().toString(),
                                "-p",
                                Integer.toString(primary.port()),
                                "-U",
                                "postgres",
                                "-c",
                                "fast")
                        .orThrow();
                primary.execute("create publication all_rows for table ledger");
                try (LocalPostgres standby = primary.standby();
                        LocalPostgres subscriber = LocalPostgres.builder().start()) {
                    subscriber.execute(
                            "create table ledger (id bigint, at timestamptz)",
                            "create subscription follows connection 'host=" + primary.address() + " port="
                                    + primary.port() + " user=postgres' publication all_rows");
                    AgentRun run = f.run(TestShell.system(), "enable", way, Map.of());
                    run.awaitStep("copied");
                    primary.execute(
                            "begin; insert into kept values (900001, 'prepared'); prepare transaction 'across'");
                    run.awaitStep("ready");
                    String inserted = "select n_tup_ins from pg_stat_user_tables where relname = 'ledger'";
                    long before = Long.parseLong(String.valueOf(primary.query(inserted)));
                    f.switchOver(run);
                    long acknowledgedAtTheSwitch = load.acknowledged().size();
                    Awaitility.await()
                            .atMost(Duration.ofSeconds(60))
                            .until(() -> load.acknowledged().size() > acknowledgedAtTheSwitch + 50);
                    load.end();
                    primary.execute("commit prepared 'across'");
                    f.rowsAre();
                    assertThat(primary.query("select count(*) from kept where id = 900001"))
                            .isEqualTo("1");

                    f.assertServes("on");
                    assertThat(ids(primary)).containsAll(load.acknowledged());
                    assertThat(Long.parseLong(String.valueOf(primary.query(inserted))))
                            .isGreaterThan(before);
                    String ledger = String.valueOf(primary.query(LEDGER));
                    for (LocalPostgres other : List.of(standby, subscriber)) {
                        Awaitility.await()
                                .atMost(Duration.ofSeconds(60))
                                .untilAsserted(
                                        () -> assertThat(other.query(LEDGER)).isEqualTo(ledger));
                    }
                    assertThat(primary.query("select timeline_id from pg_control_checkpoint()"))
                            .isEqualTo("1");
                    primary.run(
                                    "pg_amcheck",
                                    "--heapallindexed",
                                    "-h",
                                    primary.home().toString(),
                                    "-p",
                                    Integer.toString(primary.port()),
                                    "-U",
                                    "postgres",
                                    "postgres")
                            .orThrow();
                    assertArchiveIsWhole(f, ledger, backup);
                }
            }
            f.assertEveryPageSound();
        }
    }

    private static Set<Long> ids(LocalPostgres postgres) {
        Set<Long> ids = new HashSet<>();
        for (String id : String.valueOf(postgres.query("select string_agg(id::text, ',') from ledger"))
                .split(",")) {
            ids.add(Long.valueOf(id));
        }
        return ids;
    }

    /** No segment is missing, none came twice, and the backup from before the conversion can be rolled forward across the switch. */
    private static void assertArchiveIsWhole(StandbyFixture f, String ledger, Path backup) throws Exception {
        LocalPostgres primary = f.postgres();
        String last = primary.query("select pg_walfile_name(pg_switch_wal())");
        Path notes = primary.home().resolve("archived");
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> Files.readAllLines(notes).contains(last));
        List<Long> segments = Files.readAllLines(notes).stream()
                .filter(name -> name.length() == 24)
                .map(name -> Long.parseLong(name.substring(8, 16), 16) * 256 + Long.parseLong(name.substring(16), 16))
                .toList();
        for (int i = 1; i < segments.size(); i++) {
            assertThat(segments.get(i)).as(segments.toString()).isEqualTo(segments.get(i - 1) + 1);
        }
        f.shell("cd " + backup + "; : >recovery.signal; printf '%s\\n' \"restore_command = 'cp " + primary.home()
                + "/archive/%f %p'\" 'recovery_target_action = promote' 'archive_mode = off' 'port = 1' \"listen_addresses = ''\""
                + " >>postgresql.auto.conf; rm -f standby.signal");
        primary.run("pg_ctl", "-D", backup.toString(), "-l", backup + ".log", "-w", "-t", "100", "start")
                .orThrow();
        try {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(primary.run(
                                            "psql",
                                            "-h",
                                            primary.home().toString(),
                                            "-p",
                                            "1",
                                            "-U",
                                            "postgres",
                                            "-XAtc",
                                            LEDGER)
                                    .output()
                                    .strip())
                            .isEqualTo(ledger));
        } finally {
            primary.run("pg_ctl", "-D", backup.toString(), "-m", "immediate", "-w", "stop");
        }
        assertThat(primary.isRunning()).isTrue();
    }

    /** A stop that is not clean, with a prepared transaction and a slot of somebody else: nothing is taken. */
    @ParameterizedTest
    @EnumSource
    void anUncleanStopIsNoSwitch(Way way) {
        try (StandbyFixture f = StandbyFixture.withoutChecksums()) {
            f.postgres().execute("select pg_create_physical_replication_slot('others', true)");
            AgentRun run = f.run(TestShell.system(), "enable", way, Map.of());
            f.arm(run);
            f.postgres().stop(StopMode.IMMEDIATE);
            assertThat(run.awaitFailure(1, "NotClean").path("slot").asBoolean()).isFalse();
            f.assertServes("off");
            assertThat(f.postgres().query("select slot_name from pg_replication_slots"))
                    .isEqualTo("others");
        }
    }
}

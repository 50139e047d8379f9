package dev.datachecksums.operator.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LocalPostgresIT {
    @Test
    void startsStopsConvertsAndLeavesNothing() {
        Path home;
        try (LocalPostgres server = LocalPostgres.builder().password("s3cret").start()) {
            home = server.home();
            assertThat(server.query("SHOW data_checksums")).isEqualTo("off");
            server.execute("CREATE TABLE t AS SELECT 7 AS x");
            server.stop(LocalPostgres.StopMode.FAST);
            assertThat(server.isRunning()).isFalse();
            assertThat(server.controlData("Database cluster state")).isEqualTo("shut down");
            server.run(
                            "pg_checksums",
                            "--enable",
                            "--no-sync",
                            "-D",
                            server.dataDirectory().toString())
                    .orThrow();
            server.start();
            assertThat(server.query("SHOW data_checksums")).isEqualTo("on");
            assertThat(server.query("SELECT x FROM t")).isEqualTo("7");
            server.kill9();
            assertThat(server.controlData("Database cluster state")).isEqualTo("in production");
            assertThat(server.pidFile()).exists();
        }
        assertThat(Files.exists(home)).isFalse();
    }

    @Test
    void makesAServerWithChecksumsAndAStandby() {
        try (LocalPostgres primary = LocalPostgres.builder().checksums(true).start();
                LocalPostgres standby = primary.standby()) {
            assertThat(primary.query("SHOW data_checksums")).isEqualTo("on");
            assertThat(standby.query("SELECT pg_is_in_recovery()")).isEqualTo("t");
        }
    }
}

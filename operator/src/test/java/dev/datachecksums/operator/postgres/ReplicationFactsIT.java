package dev.datachecksums.operator.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ReplicationFactsIT {
    private final PostgresServer postgres = new JdbcPostgresServer(Clock.systemUTC());

    @Test
    void tellsAStandbyFromItsPrimaryAndCountsChecksumFailures() throws ServerException {
        try (LocalPostgres primary = LocalPostgres.builder().checksums(true).start();
                LocalPostgres standby = primary.standby()) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(postgres.observe(Targets.of(primary))
                                    .streamingStandbys()
                                    .value())
                            .hasValue(1));
            ServerFacts onPrimary = postgres.observe(Targets.of(primary));
            ServerFacts onStandby = postgres.observe(Targets.of(standby));

            assertThat(onStandby.inRecovery()).isTrue();
            assertThat(onPrimary.inRecovery()).isFalse();
            assertThat(onStandby.systemIdentifier()).isEqualTo(onPrimary.systemIdentifier());
            assertThat(onPrimary.checksums()).isEqualTo(ChecksumState.ON);
            assertThat(onPrimary.checksumFailures().value().orElseThrow())
                    .filteredOn(failures -> "postgres".equals(failures.database()))
                    .singleElement()
                    .satisfies(failures -> {
                        assertThat(failures.count()).isZero();
                        assertThat(failures.lastFailure()).isNull();
                    });
        }
    }

    @Test
    void reportsAFailureThatTheServerCounted() throws Exception {
        try (LocalPostgres server = LocalPostgres.builder().checksums(true).start()) {
            server.execute("CREATE TABLE damaged AS SELECT generate_series(1, 1000) AS x", "CHECKPOINT");
            java.nio.file.Path file =
                    server.dataDirectory().resolve(server.query("SELECT pg_relation_filepath('damaged')"));
            server.stop(LocalPostgres.StopMode.FAST);
            byte[] bytes = java.nio.file.Files.readAllBytes(file);
            bytes[4000] ^= 1;
            java.nio.file.Files.write(file, bytes);
            server.start();
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> server.query("SELECT count(*) FROM damaged"))
                    .hasRootCauseInstanceOf(java.sql.SQLException.class);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(postgres.observe(Targets.of(server))
                                    .checksumFailures()
                                    .value()
                                    .orElseThrow())
                            .anySatisfy(failures -> {
                                assertThat(failures.database()).isEqualTo("postgres");
                                assertThat(failures.count()).isPositive();
                                assertThat(failures.lastFailure()).isNotNull();
                            }));
        }
    }
}

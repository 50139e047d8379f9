package dev.datachecksums.e2e.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.postgres.LocalPostgres;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AckedWriterIT {

    @Test
    void aRestartIsAGapAndLosesNothingButALostRowIsNamed() throws Exception {
        try (LocalPostgres server = LocalPostgres.builder().start();
                AckedWriter writer = AckedWriter.start(timeout -> server.connect())) {
            writer.awaitMore(50, Duration.ofSeconds(30));
            assertThat(writer.missing()).isEmpty();

            server.stop(LocalPostgres.StopMode.IMMEDIATE);
            server.start();
            writer.awaitMore(50, Duration.ofSeconds(30));

            assertThat(writer.gaps()).anySatisfy(gap -> assertThat(gap.error()).isNotEmpty());
            assertThat(writer.longestGap()).isPositive();
            assertThat(writer.missing()).isEmpty();

            server.execute("delete from acked where id = 7");
            assertThat(writer.missing()).containsExactly(7);
        }
    }

    @Test
    void fillsAboutAsMuchAsAskedFor() throws Exception {
        try (LocalPostgres server = LocalPostgres.builder().start();
                Connection connection = server.connect()) {
            Filler.fill(connection, "filler", 20);
            String size = server.query("select pg_total_relation_size('filler') / 1048576");
            assertThat(Integer.parseInt(String.valueOf(size))).isBetween(18, 24);
        }
    }
}

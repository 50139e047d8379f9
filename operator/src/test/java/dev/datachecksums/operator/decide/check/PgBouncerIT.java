package dev.datachecksums.operator.decide.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.Observations;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.postgres.JdbcPostgresServer;
import dev.datachecksums.operator.postgres.LocalPgBouncer;
import dev.datachecksums.operator.postgres.LocalPostgres;
import dev.datachecksums.operator.postgres.PostgresServer;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.ServerProblem;
import dev.datachecksums.operator.postgres.online.JdbcOnlineServer;
import dev.datachecksums.operator.postgres.online.OnlineServer;
import dev.datachecksums.operator.postgres.online.Throttle;
import java.time.Clock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A real PgBouncer is noticed in each of its modes, refused with the remedy, and told nothing. */
class PgBouncerIT {

    @ParameterizedTest
    @EnumSource(LocalPgBouncer.Mode.class)
    void isRefusedWithTheRemedyAndToldNothing(LocalPgBouncer.Mode mode) throws ServerException {
        PostgresServer postgres = new JdbcPostgresServer(Clock.systemUTC());
        OnlineServer online = new JdbcOnlineServer(Clock.systemUTC(), false);
        try (LocalPostgres server =
                        LocalPostgres.builder().set("log_statement", "all").start();
                LocalPgBouncer pooler = LocalPgBouncer.before(server, mode)) {
            ServerFacts facts = postgres.observe(pooler.target());
            assertThat(facts.poolerEvidence()).isPresent();
            assertThat(Gates.standard()
                            .askServer(Observations.atRest()
                                    .server(Fact.known(facts))
                                    .build()))
                    .first()
                    .isInstanceOf(Finding.Block.class)
                    .satisfies(f -> assertThat(f.check()).isEqualTo("DirectConnection"))
                    .satisfies(f -> assertThat(f.words())
                            .contains("a pooler such as PgBouncer stands in between")
                            .contains("Let connection.host and connection.port lead to the server itself"));
            assertThat(catchThrowableOfType(ServerException.class, () -> postgres.hold(pooler.target()))
                            .kind())
                    .isEqualTo(ServerProblem.BEHIND_POOLER);
            assertThat(catchThrowableOfType(ServerException.class, () -> online.enable(pooler.target(), Throttle.NONE))
                            .kind())
                    .isEqualTo(ServerProblem.BEHIND_POOLER);
            assertThat(server.log()).doesNotContain("SELECT pg_enable_data_checksums(");
        }
    }
}

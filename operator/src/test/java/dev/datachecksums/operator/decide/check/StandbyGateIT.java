package dev.datachecksums.operator.decide.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.Observations;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.Credentials;
import dev.datachecksums.operator.postgres.JdbcPostgresServer;
import dev.datachecksums.operator.postgres.LocalPostgres;
import dev.datachecksums.operator.postgres.ServerAddress;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.ServerTarget;
import dev.datachecksums.operator.postgres.Timeouts;
import dev.datachecksums.operator.postgres.Tls;
import dev.datachecksums.operator.postgres.standby.JdbcStandbyServer;
import dev.datachecksums.operator.postgres.standby.StandbyServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a copy needs, from what real servers say. */
class StandbyGateIT {
    private static final String SECRET = "s3cret";

    private static LocalPostgres server;

    private final JdbcPostgresServer postgres = new JdbcPostgresServer(Clock.systemUTC());
    private final StandbyServer standby = new JdbcStandbyServer(Clock.systemUTC());

    @BeforeAll
    static void start() {
        server = LocalPostgres.builder().password(SECRET).start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aUsualServerPasses() throws ServerException {
        assertThat(findings(server)).isEmpty();
    }

    @Test
    void anUnloggedTableAndASequenceInAnotherDatabase() throws ServerException {
        server.execute("CREATE DATABASE quick");
        server.execute("CREATE UNLOGGED TABLE cache (id serial PRIMARY KEY)");
        try {
            assertThat(findings(server)).singleElement().satisfies(f -> {
                assertThat(f).isInstanceOf(Finding.Block.class);
                assertThat(f.check()).isEqualTo("Unlogged");
                assertThat(f.words()).contains("in database postgres");
            });
            server.execute("ALTER TABLE cache SET LOGGED");
            server.execute("CHECKPOINT");
            assertThat(findings(server)).isEmpty();
        } finally {
            server.execute("DROP TABLE cache");
            server.execute("DROP DATABASE quick");
        }
    }

    @Test
    void anAccessMethodThatIsNobodys() throws ServerException {
        server.execute("CREATE ACCESS METHOD odd TYPE TABLE HANDLER heap_tableam_handler");
        server.execute("CREATE TABLE strange (i int) USING odd");
        try {
            assertThat(findings(server)).singleElement().satisfies(f -> {
                assertThat(f.check()).isEqualTo("AccessMethods");
                assertThat(f.words()).contains("odd in database postgres");
            });
        } finally {
            server.execute("DROP TABLE strange");
            server.execute("DROP ACCESS METHOD odd");
        }
    }

    @Test
    void aDatabaseThatTakesNoConnections() throws ServerException {
        server.execute("CREATE DATABASE vault");
        server.execute("ALTER DATABASE vault ALLOW_CONNECTIONS false");
        try {
            assertThat(findings(server))
                    .singleElement()
                    .satisfies(f -> assertThat(f.words()).contains("vault"));
        } finally {
            server.execute("DROP DATABASE vault");
        }
    }

    @Test
    void everySlotIsTakenAndOursIsSeenAndDropped() throws ServerException {
        server.execute("SELECT pg_create_physical_replication_slot('other' || i) FROM generate_series(1, 9) i");
        server.execute("SELECT pg_create_physical_replication_slot('" + ServerFacts.STANDBY_SLOT + "', true)");
        try {
            assertThat(findings(server)).isEmpty();
            assertThat(postgres.observe(target(server)).standbySlot()).isTrue();
            standby.dropSlot(target(server));
            standby.dropSlot(target(server));
            assertThat(postgres.observe(target(server)).standbySlot()).isFalse();
            server.execute("SELECT pg_create_physical_replication_slot('other10')");
            assertThat(findings(server))
                    .singleElement()
                    .satisfies(f -> assertThat(f.check()).isEqualTo("FreeSlot"));
        } finally {
            server.execute("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots");
        }
    }

    @Test
    void theDirectoryOfACopyIsSeenUnderBothItsNames() throws Exception {
        for (Path place : List.of(
                server.dataDirectory().resolveSibling(server.dataDirectory().getFileName() + ".dck"),
                server.dataDirectory().resolve("dck.copy"))) {
            assertThat(postgres.observe(target(server)).copyDirectory()).isEqualTo(Answer.given(false));
            Files.createDirectory(place);
            assertThat(postgres.observe(target(server)).copyDirectory()).isEqualTo(Answer.given(true));
            Files.delete(place);
        }
    }

    @Test
    void theServerKeepsTooLittleWalForASlot() throws ServerException {
        server.execute("ALTER SYSTEM SET max_slot_wal_keep_size = '64MB'");
        server.execute("SELECT pg_reload_conf()");
        try {
            assertThat(findings(server))
                    .singleElement()
                    .satisfies(f -> assertThat(f.check()).isEqualTo("WalFloor"));
        } finally {
            server.execute("ALTER SYSTEM RESET max_slot_wal_keep_size");
            server.execute("SELECT pg_reload_conf()");
        }
    }

    @Test
    void theVolumeHasLessThanIsToBeLeftAlone() throws ServerException {
        assertThat(findings(server, "100Ti")).extracting(Finding::check).containsExactly("RoomForCopy", "WalFloor");
    }

    private List<Finding> findings(LocalPostgres of) throws ServerException {
        return findings(of, "1Mi");
    }

    private List<Finding> findings(LocalPostgres of, String leftAlone) throws ServerException {
        Observation o = Observations.atRest()
                .strategy(OfflineStrategy.TEMPORARY_STANDBY)
                .minFreeSpace(leftAlone)
                .server(Fact.known(postgres.observe(target(of))))
                .standby(Fact.known(standby.read(target(of))))
                .build();
        return Gates.standard().askStandby(o);
    }

    private static ServerTarget target(LocalPostgres of) {
        return new ServerTarget(
                new ServerAddress("127.0.0.1", of.port(), "postgres"),
                new Credentials("postgres", SECRET),
                Tls.of(Tls.Mode.DISABLE),
                Timeouts.DEFAULT);
    }
}

package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbeds;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A converted copy takes the place of the data directory at one restart, under a client that writes all the while. One version after
 * another: four copies at a time leave a small machine no room to answer in.
 */
class TemporaryStandbyE2E {
    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    /** On a cluster every version that there is an image of, or those of {@code -Ddck.copies=15,18}; here the one that is installed. */
    static IntStream majors() {
        return Testbeds.onCluster()
                ? Stream.of(System.getProperty("dck.copies", "15,17,18,19").split(",", -1))
                        .mapToInt(Integer::parseInt)
                : IntStream.of(CLUSTER.testbed().defaultMajor());
    }

    @ParameterizedTest(name = "PostgreSQL {0}")
    @MethodSource("majors")
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void theCopyTakesOverAndNothingIsLost(int major) throws Exception {
        Database database =
                CLUSTER.filled(PostgresSpec.named("copy-" + major).withMajor(major), Testbeds.onCluster() ? 300 : 64);
        database.server()
                .execute(
                        "create extension amcheck",
                        "create sequence counted",
                        "select nextval('counted') from generate_series(1, 77)");
        String inserted = "select n_tup_ins from pg_stat_user_tables where relname = 'filler'";
        long rows = Long.parseLong(database.server().query("select count(*) from filler"));
        await("statistics are there")
                .atMost(Duration.ofSeconds(30))
                .until(() -> Long.parseLong(database.server().query(inserted)) == rows);
        String timeline = database.server().query("select timeline_id from pg_control_checkpoint()");
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            Declaration declaration = database.declare(
                    "policy.offline.strategy", "TemporaryStandby", "policy.offline.minFreeSpace", "100Mi");
            DataChecksumsStatus status = declaration.awaitConverged(DesiredState.ENABLED);
            LastConversion last = Objects.requireNonNull(status.lastConversion());
            assertThat(last.method()).isEqualTo(ConversionMethod.TEMPORARY_STANDBY);
            assertThat(last.outage()).matches("[0-9.]+(ms|s)");
            writer.awaitMore(100, Duration.ofSeconds(30));
            assertThat(Long.parseLong(database.server().query(inserted))).isEqualTo(rows);
            // As after a crash it may jump by up to 32.
            assertThat(Long.parseLong(database.server().query("select nextval('counted')")))
                    .isBetween(78L, 110L);
            assertSound(database);
            declaration.set("state", "Disabled");
            DataChecksumsStatus off = declaration.awaitConverged(DesiredState.DISABLED);
            assertThat(Objects.requireNonNull(off.lastConversion()).method()).isEqualTo(ConversionMethod.IN_PLACE);
            declaration.set("state", "Enabled");
            declaration.awaitConverged(DesiredState.ENABLED);
            writer.close();
            assertThat(writer.missing()).isEmpty();
        }
        assertThat(database.server().query("select timeline_id from pg_control_checkpoint()"))
                .isEqualTo(timeline);
        assertThat(database.server()
                        .query("select count(*) from pg_replication_slots where slot_name = '"
                                + ServerFacts.STANDBY_SLOT + "'"))
                .isEqualTo("0");
        database.assertNothingLeft();
        database.assertWhole("on");
    }

    /** What pg_amcheck --heapallindexed asks: every index has its rows, and every heap and toast page is whole. */
    private static void assertSound(Database database) {
        assertThat(
                        database.server()
                                .query(
                                        "select count(bt_index_check(c.oid, true)::text) from pg_index i"
                                                + " join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam"
                                                + " where a.amname = 'btree' and c.relpersistence = 'p' and i.indisready and i.indisvalid"))
                .isNotEqualTo("0");
        assertThat(database.server()
                        .query("select string_agg(c.oid::regclass || ': ' || v.msg, '; ') from pg_class c"
                                + " cross join lateral verify_heapam(c.oid) v"
                                + " where c.relkind in ('r', 'm', 't') and c.relpersistence = 'p'"))
                .isEmpty();
    }
}

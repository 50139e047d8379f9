package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A converted copy takes the place of the data directory at one restart, under a client that writes all the while. */
class TemporaryStandbyE2E {
    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    /** On a cluster every version that there is an image of; here the one that is installed. */
    static IntStream majors() {
        return Testbeds.onCluster()
                ? IntStream.of(15, 17, 18, 19)
                : IntStream.of(CLUSTER.testbed().defaultMajor());
    }

    @ParameterizedTest(name = "PostgreSQL {0}")
    @MethodSource("majors")
    @Execution(ExecutionMode.CONCURRENT)
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void theCopyTakesOverAndNothingIsLost(int major) throws Exception {
        Database database =
                CLUSTER.filled(PostgresSpec.named("copy-" + major).withMajor(major), Testbeds.onCluster() ? 300 : 64);
        String timeline = database.server().query("select timeline_id from pg_control_checkpoint()");
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            Declaration declaration = database.declare(
                    "policy.offline.strategy", "TemporaryStandby", "policy.offline.minFreeSpace", "100Mi");
            DataChecksumsStatus status = declaration.awaitConverged(DesiredState.ENABLED);
            LastConversion last = Objects.requireNonNull(status.lastConversion());
            assertThat(last.method()).isEqualTo(ConversionMethod.TEMPORARY_STANDBY);
            assertThat(last.outage()).matches("[0-9.]+(ms|s)");
            writer.awaitMore(100, Duration.ofSeconds(30));
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
}

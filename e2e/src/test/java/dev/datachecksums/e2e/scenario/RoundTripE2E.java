package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.ObservedState;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.load.ReadyWatch;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbeds;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Off, on, off and on again, under a client that writes all the while. */
class RoundTripE2E {
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
    void noRowIsLostAndReadyIsHonest(int major) throws Exception {
        Database database =
                CLUSTER.filled(PostgresSpec.named("round-" + major).withMajor(major), Testbeds.onCluster() ? 300 : 64);
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            Declaration declaration = database.declare("state", "Disabled");
            declaration.awaitConverged(DesiredState.DISABLED);
            try (ReadyWatch watch = declaration.watch(database.server())) {
                for (DesiredState state : List.of(DesiredState.ENABLED, DesiredState.DISABLED, DesiredState.ENABLED)) {
                    declaration.set("state", state == DesiredState.ENABLED ? "Enabled" : "Disabled");
                    assertRecorded(declaration, declaration.awaitConverged(state), state, writer);
                    writer.awaitMore(100, Duration.ofSeconds(30));
                }
                watch.close();
                Declaration.assertHonest(watch);
            }
            writer.close();
            assertThat(writer.missing()).isEmpty();
            assertThat(writer.acknowledged()).isGreaterThan(300);
        }
        database.assertNothingLeft();
        database.assertWhole("on");
    }

    private static void assertRecorded(
            Declaration declaration, DataChecksumsStatus status, DesiredState state, AckedWriter writer) {
        boolean on = state == DesiredState.ENABLED;
        assertThat(status.state()).isEqualTo(on ? ObservedState.ON : ObservedState.OFF);
        LastConversion last = Objects.requireNonNull(status.lastConversion());
        assertThat(last.from()).isEqualTo(on ? ObservedState.OFF : ObservedState.ON);
        assertThat(last.to()).isEqualTo(on ? ObservedState.ON : ObservedState.OFF);
        declaration.assertOneTry(last);
        assertThat(last.started()).matches("[^.]*Z");
        assertThat(last.completed()).matches("[^.]*Z");
        assertThat(last.outage()).matches("[0-9.]+(ms|s)");
        assertThat(writer.longestGap()).isPositive();
        assertThat(Declaration.condition(status, "BackupAdvised").status()).isEqualTo("True");
    }
}

package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.operator.offline.Step;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A copy that nobody remembers: somebody has removed the status, or a backup of the resource, which has none, was restored. */
@Tag("embedded")
class StandbyForgottenE2E {
    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    @Scenario
    void theStatusIsRemovedRightAfterTheSwap() throws Exception {
        Database database = CLUSTER.filled(PostgresSpec.named("forgotten"), 48);
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            Declaration declaration = database.declare(
                    "policy.offline.strategy", "TemporaryStandby", "policy.offline.minFreeSpace", "100Mi");
            declaration.job().awaitStep(Step.SWAPPED);
            declaration.removeStatus();
            DataChecksumsStatus status = declaration.awaitConverged(DesiredState.ENABLED);
            LastConversion last = Objects.requireNonNull(status.lastConversion());
            assertThat(last.method()).isEqualTo(ConversionMethod.TEMPORARY_STANDBY);
            writer.close();
            assertThat(writer.missing()).isEmpty();
        }
        database.assertNothingLeft();
        database.assertWhole("on");
    }

    @Scenario
    void theDirectoryOfACopyIsFoundAtRest() throws Exception {
        Database database = CLUSTER.create(PostgresSpec.named("left-over").withChecksums(true));
        Declaration declaration = database.declare();
        declaration.awaitConverged(DesiredState.ENABLED);
        Database.Standing before = database.standing();
        Files.createDirectory(database.copy());
        declaration.awaitEvent("RemainsFound");
        await("the copy is removed").atMost(Duration.ofMinutes(2)).until(() -> !Files.exists(database.copy()));
        declaration.awaitConverged(DesiredState.ENABLED);
        database.assertNothingLeft();
        assertThat(database.standing()).isEqualTo(before);
    }
}

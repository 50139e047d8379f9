package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.BlockerStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An operator whose Role lacks a verb says which, and changes nothing. */
@Tag("twice")
class RightsE2E {
    @RegisterExtension
    final Cluster cluster = Cluster.create();

    @Scenario
    void itMayNotDeletePods() {
        cluster.testbed().deny("delete", "pods");
        Database database = cluster.create(PostgresSpec.named("no-delete"));
        Database.Standing before = database.standing();
        Declaration declaration = database.declare();
        BlockerStatus blocker = declaration.awaitBlocker("Permissions");
        assertThat(blocker.message()).contains("delete pods");
        assertThat(declaration.job().jobs()).isEmpty();
        assertThat(database.standing()).isEqualTo(before);
        cluster.testbed().allow("delete", "pods");
        declaration.awaitConverged(DesiredState.ENABLED);
    }

    @Scenario
    void itMayNotReadTheSecret() {
        cluster.testbed().deny("get", "secrets");
        Database database = cluster.create(PostgresSpec.named("no-secret"));
        Database.Standing before = database.standing();
        Declaration declaration = database.declare();
        assertThat(declaration.awaitBlocker("CredentialsPresent").message()).contains("get secrets");
        assertThat(declaration.job().jobs()).isEmpty();
        assertThat(database.standing()).isEqualTo(before);
        cluster.testbed().allow("get", "secrets");
        declaration.awaitConverged(DesiredState.ENABLED);
    }

    @Scenario
    void itMayNotCreateJobs() {
        cluster.testbed().deny("create", "jobs.batch");
        Database database = cluster.create(PostgresSpec.named("no-job"));
        Declaration declaration = database.declare();
        assertThat(declaration.awaitBlocker("Permissions").message()).contains("create jobs");
        database.assertNothingLeft();
    }
}

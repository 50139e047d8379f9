package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.LastConversion;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The policy or the Secret's name is changed under way: what is stopped is finished by what it was begun with, what is not yet stopped is
 * begun anew, and the server is down for none of it.
 */
@Tag("embedded")
class PolicyChangedE2E {
    private static final Object[] IN_PLACE = {"policy.offline.strategy", "InPlace"};

    /** Megabytes of data with which the pod is not held while it is stopped. */
    private static final int BRIEF = 1;

    @RegisterExtension
    final Cluster cluster = Cluster.create();

    @Scenario
    void anotherStrategyBeforeTheStopIsTheOneThatIsTaken() {
        Database database = cluster.preparing("prepare-strategy", IN_PLACE);
        Database.Standing before = database.standing();
        Declaration declaration = database.declared();
        declaration.set("policy.offline.strategy", "TemporaryStandby");
        database.unlock();
        declaration.awaitEvent("StrategyChanged");
        assertThat(database.standing().started()).isEqualTo(before.started());
        assertConverted(database, ConversionMethod.TEMPORARY_STANDBY);
    }

    @Scenario
    void onlineBeforeTheStopLeavesTheServerAlone() {
        Database database = cluster.preparing("prepare-online", IN_PLACE);
        Database.Standing before = database.standing();
        Declaration declaration = database.declared();
        declaration.set("policy.method", "Online");
        database.unlock();
        declaration.awaitBlocker("FunctionPresent");
        database.assertNothingLeft();
        assertThat(database.standing()).isEqualTo(before);
        assertThat(Declaration.attempts(declaration.status())).isZero();
    }

    @Scenario
    void whatIsArmedIsFinishedAsItWasBegun() {
        Database database = cluster.armed("armed-policy", IN_PLACE);
        changeAll(database);
        cluster.testbed().allow("delete", "pods");
        assertConverted(database, ConversionMethod.IN_PLACE);
    }

    @Scenario
    void whatIsStoppedIsFinishedAsItWasBegun() throws SQLException {
        Database database = cluster.rewriting("rewrite-policy", BRIEF, IN_PLACE);
        changeAll(database);
        database.unflag("hold");
        assertConverted(database, ConversionMethod.IN_PLACE);
    }

    /** Every road is another from now on, and the Secret is one of the same content. */
    private void changeAll(Database database) {
        Declaration declaration = database.declared();
        secret(database, "renamed");
        declaration.set("connection.credentials.secretName", "renamed");
        declaration.set("policy.offline.strategy", "TemporaryStandby");
        declaration.set("policy.method", "Online");
    }

    @Scenario
    void withoutItsSecretWhatIsArmedIsGivenUp() {
        Database database = cluster.armed("armed-secret", IN_PLACE);
        String started = database.standing().started();
        database.declared().set("connection.credentials.secretName", "nowhere");
        assertToldOf(database, "nowhere");
        await("no interlock").atMost(2, TimeUnit.MINUTES).until(() -> !database.interlocked());
        assertThat(database.standing().started()).isEqualTo(started);
        cluster.testbed().allow("delete", "pods");
        secret(database, "nowhere");
        assertConverted(database, ConversionMethod.IN_PLACE);
    }

    @Scenario
    void withoutItsSecretWhatIsStoppedComesBackConverted() throws SQLException {
        Database database = cluster.rewriting("rewrite-secret", BRIEF, IN_PLACE);
        database.declared().set("connection.credentials.secretName", "nowhere");
        database.unflag("hold");
        database.server().awaitReady();
        assertThat(database.server().dataChecksums()).isEqualTo("on");
        assertThat(database.held()).isFalse();
        assertThat(database.interlocked()).isFalse();
        assertToldOf(database, "nowhere");
        secret(database, "nowhere");
        assertConverted(database, ConversionMethod.IN_PLACE);
    }

    private static void assertToldOf(Database database, String secret) {
        DataChecksumsStatus status = database.declared()
                .await(
                        "told of the Secret",
                        s -> Declaration.condition(s, "Ready").message().contains("there is no Secret " + secret));
        assertThat(Declaration.condition(status, "Ready").status()).isEqualTo("False");
    }

    /** In one try, by that road, whichever failed for nobody's fault before. */
    private static void assertConverted(Database database, ConversionMethod method) {
        DataChecksumsStatus status = database.declared().awaitConverged(DesiredState.ENABLED);
        LastConversion last = Objects.requireNonNull(status.lastConversion());
        assertThat(last.method()).isEqualTo(method);
        assertThat(last.attempts()).isEqualTo(1);
        database.assertNothingLeft();
        database.assertWhole("on");
    }

    /** Another Secret of the same content. */
    private void secret(Database database, String name) {
        var secrets = cluster.testbed()
                .client()
                .secrets()
                .inNamespace(cluster.testbed().namespace());
        Secret original = secrets.withName(database.server().secretName()).get();
        secrets.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withData(original.getData())
                        .build())
                .create();
    }
}

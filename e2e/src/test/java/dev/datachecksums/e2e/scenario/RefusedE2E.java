package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.BlockerStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.e2e.testbed.Testbeds;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What cannot be done safely is refused, with the reason and the remedy, and nothing is touched. */
@Tag("twice")
class RefusedE2E {
    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    /** For refusals that leave it as it is: one after the other. */
    private static Database calm;

    @BeforeAll
    static void start() {
        calm = CLUSTER.create(PostgresSpec.named("calm"));
    }

    private static BlockerStatus refused(String check, Object... fields) {
        return refused(calm, check, fields);
    }

    /** Declares it, and undeclares it once it was refused and nothing was touched. */
    private static BlockerStatus refused(Database database, String check, Object... fields) {
        Database.Standing before = database.standing();
        Declaration declaration = database.declare(fields);
        BlockerStatus blocker = declaration.awaitBlocker(check);
        assertThat(blocker.message()).isNotBlank();
        assertThat(blocker.remedy()).isNotBlank();
        DataChecksumsStatus status = declaration.status();
        assertThat(status.phase()).isIn(Phase.BLOCKED, Phase.WAITING);
        assertThat(Declaration.condition(status, "Ready").status()).isNotEqualTo("True");
        assertThat(Declaration.condition(status, "Ready").message()).isNotBlank();
        assertThat(status.conversion()).isNull();
        assertThat(declaration.job().jobs()).isEmpty();
        assertThat(declaration.get().getMetadata().getFinalizers()).isEmpty();
        declaration.awaitEvent(
                Declaration.condition(declaration.status(), "Ready").reason());
        declaration.delete();
        declaration.awaitGone();
        assertThat(database.standing()).isEqualTo(before);
        return blocker;
    }

    @Test
    void withoutTheSecret() {
        assertThat(refused("CredentialsPresent", "connection.credentials.secretName", "nowhere")
                        .message())
                .contains("nowhere");
    }

    @Test
    void withoutTheKey() {
        assertThat(refused("CredentialsPresent", "connection.credentials.passwordKey", "nokey")
                        .message())
                .contains("nokey");
    }

    @Test
    void withTheWrongPassword() {
        CLUSTER.testbed()
                .client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("wrong")
                        .withNamespace(CLUSTER.testbed().namespace())
                        .endMetadata()
                        .withStringData(Map.of("username", "postgres", "password", "guessed-at"))
                        .build())
                .create();
        BlockerStatus blocker = refused("Authenticated", "connection.credentials.secretName", "wrong");
        assertThat(blocker.message() + blocker.remedy()).doesNotContain("guessed-at");
    }

    @Test
    void withAPortWhereNobodyListens() {
        refused("Reachable", "connection.host", "127.0.0.1", "connection.port", 9);
    }

    @Test
    void withAHostThatDoesNotExist() {
        assertThat(refused("Reachable", "connection.host", "no-such-host.invalid")
                        .message())
                .contains("no-such-host.invalid");
    }

    @Test
    void withAPortThatIsNoPostgres() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 50, address())) {
            Thread other = new Thread(() -> answer(socket), "no-postgres");
            other.setDaemon(true);
            other.start();
            refused(
                    "GenuinePostgres",
                    "connection.host",
                    address().getHostAddress(),
                    "connection.port",
                    socket.getLocalPort());
        }
    }

    /** Of this machine, as the operator can reach it. */
    private static InetAddress address() throws Exception {
        if (!Testbeds.onCluster()) {
            return InetAddress.getByName("127.0.0.1");
        }
        Node node = CLUSTER.testbed().client().nodes().list().getItems().get(0);
        return InetAddress.getByName(node.getStatus().getAddresses().stream()
                .filter(a -> a.getType().equals("InternalIP"))
                .findFirst()
                .orElseThrow()
                .getAddress());
    }

    private static void answer(ServerSocket socket) {
        while (!socket.isClosed()) {
            try (var connection = socket.accept()) {
                assertThat(connection.getInputStream().read()).isNotNegative();
                connection.getOutputStream().write("HTTP/1.0 400 Bad Request\r\n\r\n".getBytes("US-ASCII"));
            } catch (java.io.IOException e) {
                // The end of the test, or a client that went first.
                continue;
            }
        }
    }

    @Test
    void withAContainerThatIsNotThere() {
        assertThat(refused("ContainerKnown", "instanceRef.container", "nope").message())
                .contains("nope");
    }

    @Test
    void whileABaseBackupRuns() throws Exception {
        try (Connection backup = calm.server().connect();
                Statement statement = backup.createStatement()) {
            statement.execute("select pg_backup_start('e2e', true)");
            refused("BackupRunning");
        }
    }

    @Test
    void whileAnotherPodHasTheClaim() throws Exception {
        CompletableFuture<String> other = CompletableFuture.supplyAsync(() -> calm.server()
                .runTool("echo here >\"${PGDATA%/*}/other\"; while [ -e \"${PGDATA%/*}/other\" ]; do sleep .1; done"));
        calm.awaitFlag("other");
        assertThat(refused("OtherPodsOnClaim").message()).contains("calm-tool-");
        calm.unflag("other");
        assertThat(other.get(4, TimeUnit.MINUTES)).isEmpty();
    }

    @Test
    void whileABudgetAllowsNoDisruption() {
        PodDisruptionBudget budget = new PodDisruptionBudgetBuilder()
                .withNewMetadata()
                .withName("all-of-calm")
                .withNamespace(CLUSTER.testbed().namespace())
                .endMetadata()
                .withNewSpec()
                .withMinAvailable(new IntOrString(1))
                .withNewSelector()
                .withMatchLabels(Map.of("app", "calm"))
                .endSelector()
                .endSpec()
                .build();
        PodDisruptionBudget made = CLUSTER.testbed().client().resource(budget).create();
        assertThat(refused("DisruptionBudget").message()).contains("all-of-calm");
        CLUSTER.testbed().client().resource(made).delete();
    }

    @Test
    void withAStandbysAddress() throws Exception {
        Database standby = CLUSTER.create(PostgresSpec.named("standby"));
        standby.server().runTool("touch \"$PGDATA/standby.signal\"");
        CLUSTER.testbed().client().resource(standby.pod()).delete();
        Awaitility.await()
                .atMost(4, TimeUnit.MINUTES)
                .ignoreExceptions()
                .until(() -> standby.server().query("select pg_is_in_recovery()"), "t"::equals);
        refused("NotInRecovery", "connection.host", standby.server().address());
    }

    @Scenario
    void dataInAnEmptyDir() {
        Database database = CLUSTER.create(PostgresSpec.named("volatile").withStorage(PostgresSpec.Storage.EMPTY_DIR));
        assertThat(refused(database, "DataOnPersistentVolume").message()).contains("emptyDir");
    }

    @Scenario
    void aTemplateThatTheDeletionWouldRollOut() {
        Database database = CLUSTER.create(PostgresSpec.named("pending"));
        Testbed testbed = CLUSTER.testbed();
        var set = testbed.client()
                .apps()
                .statefulSets()
                .inNamespace(testbed.namespace())
                .withName("pending");
        set.patch(
                PatchContext.of(PatchType.JSON_MERGE),
                "{\"spec\":{\"updateStrategy\":{\"type\":\"OnDelete\",\"rollingUpdate\":null},"
                        + "\"template\":{\"metadata\":{\"annotations\":{\"changed\":\"yes\"}}}}}");
        assertThat(refused(database, "PendingRollout").message()).contains("roll out");
        assertThat(database.pod().getMetadata().getAnnotations()).doesNotContainKey("changed");
    }

    /** The interlock would be void in it. */
    @Scenario
    void anAutoConfThatIsALink() throws Exception {
        Database database = CLUSTER.create(PostgresSpec.named("linked"));
        Path file = database.files().resolve("postgresql.auto.conf");
        Files.move(file, database.files().resolve("elsewhere.conf"));
        Files.createSymbolicLink(file, Path.of("elsewhere.conf"));
        assertThat(refused(database, "AutoConfIsPlain").message()).contains("postgresql.auto.conf");
        assertThat(Files.isSymbolicLink(file)).isTrue();
    }

    @Scenario
    void aServerThatAnotherResourceDeclares() {
        Database database = CLUSTER.create(PostgresSpec.named("shared"));
        Declaration older =
                database.declareAs("older", "policy.window", Map.of("schedule", "0 0 29 2 *", "duration", "1m"));
        older.awaitPhase(Phase.WAITING);
        Declaration younger = database.declareAs("younger", "state", "Enabled");
        assertThat(younger.awaitBlocker("Conflict").message()).contains("older");
        assertThat(database.server().dataChecksums()).isEqualTo("off");
        older.set("policy.window", null);
        older.awaitConverged(DesiredState.ENABLED);
        assertThat(younger.awaitBlocker("Conflict").message()).contains("older");
        assertThat(younger.job().jobs()).isEmpty();
        older.delete();
        older.awaitGone();
        younger.awaitConverged(DesiredState.ENABLED);
    }
}

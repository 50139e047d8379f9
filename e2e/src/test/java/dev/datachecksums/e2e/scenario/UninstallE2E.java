package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.load.Filler;
import dev.datachecksums.e2e.testbed.ClusterTestbed;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.operator.leader.Leadership;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The base is removed while servers are stopped for their conversion: by the commands of docs/uninstall.md in their order, and in the wrong
 * order with what that page says then. Takes the custom resource from the whole cluster, so it runs alone: {@code make e2e-uninstall}.
 */
@Tag("cluster")
class UninstallE2E {
    private static final Path PAGE = Path.of("../docs/uninstall.md");
    private static final String DEFINITION = "datachecksums.datachecksums.dev";
    private static final String SYSTEM = "datachecksums-system";
    private static final Duration WITHIN = Duration.ofMinutes(4);
    /** So much that the pod is held. */
    private static final int MEGABYTES = 96;

    private final ClusterTestbed testbed = ClusterTestbed.open();
    /** Longer than the testbed's own. */
    private final KubernetesClient client = new KubernetesClientBuilder().build();

    @BeforeEach
    void install() throws Exception {
        run("kubectl apply -k manifests/base");
        run("kubectl -n " + SYSTEM + " rollout status deployment/datachecksums-operator --timeout=2m");
    }

    @AfterEach
    void tidy() throws Exception {
        // Whatever a test that has failed has left: the testbed lets go of what is its own.
        run("kubectl apply -k manifests/crds");
        testbed.close();
        run("kubectl delete -k manifests/base --ignore-not-found --wait=false");
        await().atMost(WITHIN)
                .until(() -> client.namespaces().withName(SYSTEM).get() == null && customResource() == null);
        client.close();
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void theDeclarationsGoFirst() throws Exception {
        Database database = rewriting("orders-db");
        try (AckedWriter writer = writer(database)) {
            assertThat(client.leases()
                            .inNamespace(SYSTEM)
                            .withName(Leadership.NAME)
                            .get())
                    .isNotNull();
            for (String command : Commands.under(PAGE, "In order")) {
                run(command);
            }
            assertGone();
            assertServes(database, writer, "off");
        }
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void afterTheWrongOrderAPersonOrTheNextOperatorBringsTheServersBack() throws Exception {
        Database one = rewriting("orders-db");
        Database other = rewriting("bills-db");
        try (AckedWriter ones = writer(one);
                AckedWriter others = writer(other)) {
            run("kubectl delete -k manifests/base --wait=false");
            await().atMost(WITHIN)
                    .until(() -> client.namespaces().withName(SYSTEM).get() == null);
            // What the page says of it.
            assertThat(customResource()).isNotEmpty();
            other.unflag("hold");
            await().atMost(WITHIN)
                    .until(() -> other.declared().job().pods().stream()
                            .allMatch(p -> p.getStatus().getPhase().equals("Succeeded")));
            assertThat(other.interlocked()).isFalse();
            assertThat(List.of(one, other)).allSatisfy(d -> {
                assertThat(d.held()).isTrue();
                assertThat(d.pod().getMetadata().getDeletionTimestamp()).isNotNull();
                assertThat(d.declared().get().getMetadata().getDeletionTimestamp())
                        .isNotNull();
            });
            assertThat(one.interlocked()).isTrue();

            for (String command : Commands.under(PAGE, "By hand")) {
                run(command);
            }
            assertServes(one, ones, "off");

            for (String command : Commands.under(PAGE, "With the operator")) {
                run(command);
            }
            assertGone();
            assertServes(other, others, "on");
        }
    }

    private Database rewriting(String name) throws SQLException {
        Database database = new Database(testbed, testbed.createReady(Tools.on(PostgresSpec.named(name))));
        try (Connection connection = database.server().connect()) {
            Filler.fill(connection, "filler", MEGABYTES);
        }
        return database.flag("hold");
    }

    /** A writer, and after its first rows the conversion, up to where the server is stopped and held. */
    private static AckedWriter writer(Database database) throws Exception {
        AckedWriter writer = AckedWriter.start(database.server()::connect);
        writer.awaitMore(50, Duration.ofSeconds(30));
        database.declare();
        database.awaitFlag("running");
        assertThat(database.held()).isTrue();
        return writer;
    }

    private void assertGone() throws Exception {
        await().atMost(WITHIN).untilAsserted(() -> {
            assertThat(client.namespaces().withName(SYSTEM).get()).isNull();
            assertThat(customResource()).isNull();
            assertThat(run("kubectl get clusterroles,clusterrolebindings,priorityclasses -o name"
                            + " -l app.kubernetes.io/part-of=datachecksums"))
                    .doesNotContain("/");
        });
        // Declarations are looked for below, and the next test's testbed has its own.
        run("kubectl apply -k manifests/crds");
        run("kubectl wait --for=condition=Established crd/" + DEFINITION + " --timeout=1m");
    }

    /** When its deletion was asked for, or empty; null: there is none. */
    private @Nullable String customResource() {
        var definition = client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(DEFINITION)
                .get();
        return definition == null
                ? null
                : Objects.requireNonNullElse(definition.getMetadata().getDeletionTimestamp(), "");
    }

    private void assertServes(Database database, AckedWriter writer, String checksums) throws Exception {
        database.server().awaitReady();
        writer.awaitMore(1, WITHIN);
        writer.close();
        assertThat(writer.missing()).isEmpty();
        database.assertNothingLeft();
        database.assertWhole(checksums);
    }

    private String run(String command) throws Exception {
        return Commands.run(testbed, command);
    }
}

package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.datachecksums.e2e.testbed.ClusterTestbed;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * As {@link NamespaceGoneE2E}, but the operator is in that namespace too, with rights there and nowhere else: nobody is left to take our
 * finalizers off. Needs an API server that removes the pods of a namespace before all else, as they do from 1.33 on.
 */
@Tag("cluster")
class OperatorsNamespaceGoneE2E {

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void nothingOfOursKeepsIt() throws Exception {
        try (ClusterTestbed testbed = ClusterTestbed.open()) {
            install(testbed);
            Database database =
                    new Database(testbed, testbed.createReady(Tools.on(PostgresSpec.named("doomed")))).filled(96);
            database.flag("hold").declare();
            database.awaitFlag("running");
            assertThat(database.held()).isTrue();
            var namespace = testbed.client().namespaces().withName(testbed.namespace());
            namespace.delete();
            try {
                await().atMost(Duration.ofMinutes(4)).until(() -> namespace.get() == null);
            } catch (ConditionTimeoutException e) {
                throw new AssertionError("it is kept:\n" + testbed.dump(), e);
            }
        }
    }

    /** The overlay for one namespace, in the testbed's; it has given the account rights in the whole cluster. */
    private static void install(ClusterTestbed testbed) throws Exception {
        String here = testbed.namespace();
        Commands.run(testbed, "kubectl delete clusterrolebinding datachecksums-operator-" + here);
        String overlay = Commands.run(testbed, "kubectl kustomize manifests/overlays/single-namespace");
        Path file = Files.createTempFile("dck-overlay-", ".yaml");
        try {
            Files.writeString(file, overlay.replaceAll("(?m)^( *namespace: )databases$", "$1" + here));
            Commands.run(testbed, "kubectl apply -f " + file + " --server-side --force-conflicts");
        } finally {
            Files.delete(file);
        }
        Commands.run(testbed, "kubectl -n " + here + " rollout status deployment/datachecksums-operator --timeout=2m");
    }
}

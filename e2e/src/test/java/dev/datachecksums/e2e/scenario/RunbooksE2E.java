package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every command of every runbook, as it stands there but for the namespaces, about a server that was converted. */
@Tag("cluster")
class RunbooksE2E {
    private static final Path RUNBOOKS = Path.of("../docs/runbooks");
    private static final String OPERATOR = "datachecksums-operator";

    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    @Scenario
    void everyCommandWorks() throws Exception {
        Declaration declaration =
                CLUSTER.create(PostgresSpec.named("orders-db")).declare();
        declaration.awaitConverged(DesiredState.ENABLED);
        deployment();
        List<String> ran = new ArrayList<>();
        try (Stream<Path> files = Files.list(RUNBOOKS)) {
            for (Path file : files.sorted().toList()) {
                for (String command : Commands.of(file)) {
                    String here = CLUSTER.testbed().namespace();
                    Commands.run(CLUSTER.testbed(), command.replace("-n datachecksums-system", "-n " + here));
                    ran.add(command);
                }
            }
        }
        assertThat(ran).hasSizeGreaterThan(30);
        declaration.awaitConverged(DesiredState.ENABLED);
    }

    /** Where the operator does not run as a Deployment here, one of its name stands in for it. */
    private static void deployment() {
        Testbed testbed = CLUSTER.testbed();
        var named = testbed.client()
                .apps()
                .deployments()
                .inNamespace(testbed.namespace())
                .withName(OPERATOR);
        if (named.get() != null) {
            return;
        }
        Map<String, String> labels = Map.of("stands-in-for", OPERATOR);
        testbed.client()
                .resource(new DeploymentBuilder()
                        .withNewMetadata()
                        .withName(OPERATOR)
                        .withNamespace(testbed.namespace())
                        .endMetadata()
                        .withNewSpec()
                        .withNewSelector()
                        .withMatchLabels(labels)
                        .endSelector()
                        .withNewTemplate()
                        .withNewMetadata()
                        .withLabels(labels)
                        .endMetadata()
                        .withNewSpec()
                        .withTerminationGracePeriodSeconds(0L)
                        .addNewContainer()
                        .withName("operator")
                        .withImage(testbed.image(testbed.defaultMajor()))
                        .withImagePullPolicy("IfNotPresent")
                        .withCommand("sleep", "3600")
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();
        named.waitUntilReady(2, TimeUnit.MINUTES);
    }
}

package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every command of every runbook, as it stands there but for the namespaces, about a server that was converted. */
@Tag("cluster")
class RunbooksE2E {
    private static final Path RUNBOOKS = Path.of("../docs/runbooks");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");
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
                for (String command : commands(file)) {
                    run(command);
                    ran.add(command);
                }
            }
        }
        assertThat(ran).hasSizeGreaterThan(30);
        declaration.awaitConverged(DesiredState.ENABLED);
    }

    private static List<String> commands(Path file) throws IOException {
        return BLOCK.matcher(Files.readString(file))
                .results()
                .flatMap(m -> m.group(1).lines())
                .toList();
    }

    private static void run(String command) throws IOException, InterruptedException {
        String here = CLUSTER.testbed().namespace();
        ProcessBuilder builder = new ProcessBuilder(
                        "bash",
                        "-euo",
                        "pipefail",
                        "-c",
                        command.replace("-n shop", "-n " + here).replace("-n datachecksums-system", "-n " + here))
                .redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", CLUSTER.testbed().kubeconfig().toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(6, TimeUnit.MINUTES)).as(command).isTrue();
        assertThat(process.exitValue()).as("%s\n%s", command, output).isZero();
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

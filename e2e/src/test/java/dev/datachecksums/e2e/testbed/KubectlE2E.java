package dev.datachecksums.e2e.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person types while the demo runs, without a flag that would make it easier: on both testbeds. It needs kubectl. */
@Tag("cluster")
class KubectlE2E {

    @Test
    void worksOnTheEmbeddedCluster(@TempDir Path folder) throws Exception {
        try (Testbed testbed = EmbeddedTestbed.start()) {
            new Session(testbed, folder).everything();
        }
    }

    @Test
    void worksOnTheRealOneInTheSameWords(@TempDir Path folder) throws Exception {
        try (Testbed testbed = ClusterTestbed.open()) {
            new Session(testbed, folder).everything();
        }
    }

    /** One person at one testbed. */
    private record Session(Testbed testbed, Path folder) {

        void everything() throws IOException, InterruptedException {
            createsAndApplies();
            looks();
            changes();
            customResources();
            ends();
        }

        private void createsAndApplies() throws IOException, InterruptedException {
            assertThat(kubectl("create", "secret", "generic", "extra", "--from-literal=a=b"))
                    .contains("secret/extra created");
            PostgresObjects objects = new PostgresObjects(
                    PostgresSpec.named("db"), testbed.image(testbed.defaultMajor()), testbed.mountPath("db"));
            Path file = folder.resolve("db.yaml");
            Files.writeString(
                    file, objects.all().stream().map(Serialization::asYaml).collect(Collectors.joining("\n---\n")));
            assertThat(kubectl("apply", "-f", file.toString()))
                    .contains("secret/db-superuser created", "service/db created", "statefulset.apps/db created");
            // First: kubectl wait has no patience with a pod that its controller has not made yet.
            assertThat(kubectl("rollout", "status", "statefulset/db", "--timeout=90s"))
                    .contains("complete");
            assertThat(kubectl("wait", "--for=condition=Ready", "pod/db-0", "--timeout=90s"))
                    .contains("pod/db-0 condition met");
            assertThat(kubectl("apply", "-f", file.toString())).contains("service/db unchanged");
        }

        private void looks() throws IOException, InterruptedException {
            assertThat(lines("get", "pods")).first().asString().matches("NAME +READY +STATUS +RESTARTS +AGE");
            assertThat(lines("get", "pods", "-o", "wide").get(1))
                    .matches("db-0 +1/1 +Running +0 +\\S+ +[0-9.]+ +\\S+.*");
            assertThat(kubectl("get", "all")).contains("pod/db-0", "statefulset.apps/db", "service/db");
            assertThat(kubectl("get", "pvc")).contains("data-db-0", "Bound");
            assertThat(kubectl("describe", "pod", "db-0"))
                    .contains("Controlled By:", "Restart Count:  0", "Started container");
            assertThat(kubectl("logs", "db-0", "--tail=5")).contains("ready to accept connections");
            assertThat(kubectl("events")).contains("SuccessfulCreate", "StatefulSet/db");
            assertThat(kubectl("auth", "can-i", "delete", "pods")).contains("yes");
            assertThat(kubectl("get", "pods", "-l", "app in (db, other)", "-o", "name"))
                    .contains("pod/db-0");
            assertThat(kubectl("get", "statefulset", "db", "-o", "jsonpath={.status.readyReplicas}"))
                    .isEqualTo("1");
        }

        private void changes() throws IOException, InterruptedException {
            Process watch = start("get", "pods", "-w");
            try (BufferedReader seen = watch.inputReader(StandardCharsets.UTF_8)) {
                assertThat(seen.readLine()).startsWith("NAME");
                assertThat(seen.readLine()).contains("Running");
                assertThat(kubectl("delete", "pod", "db-0")).contains("pod \"db-0\" deleted");
                assertThat(seen.readLine()).contains("db-0", "Terminating");
            } finally {
                watch.destroy();
            }
            assertThat(kubectl("rollout", "status", "statefulset/db", "--timeout=90s"))
                    .contains("complete");
            assertThat(kubectl("patch", "statefulset", "db", "-p", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"))
                    .contains("statefulset.apps/db patched");
            assertThat(kubectl("scale", "statefulset", "db", "--replicas=0")).contains("statefulset.apps/db scaled");
            kubectl("wait", "--for=delete", "pod/db-0", "--timeout=90s");
            assertThat(lines("get", "pods").get(0)).contains("No resources found");
        }

        private void customResources() throws IOException, InterruptedException {
            try (Widgets widgets = new Widgets(testbed.client())) {
                Path file = folder.resolve("widget.yaml");
                Files.writeString(file, Serialization.asYaml(widgets.widget("one", Map.of("size", 1))));
                assertThat(kubectl("apply", "-f", file.toString())).contains("/one created");
                assertThat(kubectl("apply", "-f", file.toString())).contains("/one unchanged");
                String type = widgets.definition().getMetadata().getName();
                assertThat(lines("get", type)).element(0).asString().matches("NAME +COLOUR +PHASE");
                assertThat(kubectl(
                                "patch",
                                type,
                                "one",
                                "--type=merge",
                                "--subresource=status",
                                "-p",
                                "{\"status\":{\"phase\":\"Done\"}}"))
                        .contains("patched");
                assertThat(lines("get", type).get(1)).matches("one +red +Done");
                assertThat(kubectl("wait", type + "/one", "--for=jsonpath={.status.phase}=Done", "--timeout=30s"))
                        .contains("condition met");
                assertThat(kubectl("explain", type + ".spec.policy")).contains("attempts", "<integer>");
                assertThat(kubectl("delete", type, "one")).contains("\"one\" deleted");
            }
        }

        private void ends() throws IOException, InterruptedException {
            String image = testbed.image(testbed.defaultMajor());
            assertThat(kubectl("create", "job", "hello", "--image=" + image, "--", "sh", "-c", "echo hello"))
                    .contains("job.batch/hello created");
            kubectl("wait", "--for=condition=Complete", "job/hello", "--timeout=90s");
            assertThat(kubectl("logs", "job/hello")).isEqualTo("hello");
            assertThat(kubectl("delete", "job/hello", "statefulset/db", "secret/extra"))
                    .contains(
                            "job.batch \"hello\" deleted",
                            "statefulset.apps \"db\" deleted",
                            "secret \"extra\" deleted");
        }

        private List<String> lines(String... arguments) throws IOException, InterruptedException {
            return kubectl(arguments).lines().toList();
        }

        private String kubectl(String... arguments) throws IOException, InterruptedException {
            Process process = start(arguments);
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue())
                    .as(List.of(arguments) + ": " + output)
                    .isZero();
            return output;
        }

        private Process start(String... arguments) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    "kubectl", "--kubeconfig", testbed.kubeconfig().toString(), "--namespace", testbed.namespace()));
            command.addAll(List.of(arguments));
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            // Its own, as what it remembers of the server's resources would otherwise be another run's.
            builder.environment().put("KUBECACHEDIR", folder.resolve("cache").toString());
            return builder.start();
        }
    }
}

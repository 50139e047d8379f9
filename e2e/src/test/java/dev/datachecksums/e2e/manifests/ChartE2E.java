package dev.datachecksums.e2e.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.datachecksums.operator.Options;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The chart makes what kustomize makes. Needs kubectl; {@code scripts/helm} brings the other. */
@Tag("cluster")
class ChartE2E {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Building helm takes minutes where it is not there yet. */
    private static final long LIMIT_MINUTES = 20;

    private static final String CRD = "CustomResourceDefinition/datachecksums.datachecksums.dev";

    private record Result(int code, String output, String complaint) {}

    @Test
    void itIsWellFormed() throws Exception {
        Result lint = run("scripts/helm", "lint", "--strict", "manifests/helm");
        assertThat(lint.code()).as(lint.output() + lint.complaint()).isZero();
        assertThat(lint.output()).contains("1 chart(s) linted, 0 chart(s) failed");
    }

    @Test
    void asItIsItMakesTheBase() throws Exception {
        Map<String, JsonNode> base = objects(run("kubectl", "kustomize", "manifests/base"));
        // Helm makes a namespace only when it is told to, by its command line.
        assertThat(base.remove("Namespace/datachecksums-system")).isNotNull();
        Map<String, JsonNode> chart = template("datachecksums-system");
        // The custom resource is one file for both.
        assertThat(base.remove(CRD)).isNotNull();
        assertThat(chart.remove(CRD)).isNotNull();
        assertThat(chart).isEqualTo(base);
        String file = "datachecksums.dev_datachecksums.yaml";
        assertThat(Manifests.FOLDER.resolve("helm/crds").resolve(file).toRealPath())
                .isEqualTo(Manifests.FOLDER.resolve("crds").resolve(file).toRealPath());
    }

    @Test
    void forOneNamespaceItMakesTheOverlay() throws Exception {
        Map<String, JsonNode> chart = template("databases", "--set=scope=Namespace");
        // Helm has the custom resource outside of its templates.
        assertThat(chart.remove(CRD)).isNotNull();
        assertThat(chart).isEqualTo(objects(run("kubectl", "kustomize", "manifests/overlays/single-namespace")));
    }

    /** Nobody has to give an operator for one namespace any right beyond it. */
    @Test
    void theOverlayForOneNamespaceHasNothingOfTheCluster() throws Exception {
        Map<String, JsonNode> overlay = objects(run("kubectl", "kustomize", "manifests/overlays/single-namespace"));
        assertThat(overlay).hasSizeGreaterThan(5).allSatisfy((name, object) -> {
            assertThat(object.at("/metadata/namespace").asText()).as(name).isEqualTo("databases");
            object.path("subjects")
                    .forEach(s -> assertThat(s.path("namespace").asText()).isEqualTo("databases"));
        });
        assertThat(rules(overlay, "Role/datachecksums-operator"))
                .isEqualTo(rules(
                        objects(run("kubectl", "kustomize", "manifests/base")), "ClusterRole/datachecksums-operator"));
    }

    @Test
    void theOverlayForAllNamespacesIsTheBase() throws Exception {
        assertThat(objects(run("kubectl", "kustomize", "manifests/overlays/cluster-wide")))
                .isEqualTo(objects(run("kubectl", "kustomize", "manifests/base")));
    }

    @Test
    void whatCanBeChosenIsWhereItBelongs() throws Exception {
        Map<String, JsonNode> chart = template(
                "datachecksums-system",
                "--set=networkPolicy.enabled=true,podDisruptionBudget.enabled=false,replicas=3",
                "--set=watchNamespaces={shop,bank},flags.log-format=json,flags.leader-election=true",
                "--set=priorityClass.create=false,priorityClass.name=mine,image.tag=1.2.3");
        assertThat(chart)
                .containsKey("NetworkPolicy/datachecksums-operator")
                .doesNotContainKeys("PodDisruptionBudget/datachecksums-operator", "PriorityClass/mine");
        JsonNode deployment = Objects.requireNonNull(chart.get("Deployment/datachecksums-operator"));
        assertThat(deployment.at("/spec/replicas").asInt()).isEqualTo(3);
        JsonNode pod = deployment.at("/spec/template/spec");
        assertThat(pod.path("priorityClassName").asText()).isEqualTo("mine");
        JsonNode container = pod.at("/containers/0");
        assertThat(container.path("image").asText()).isEqualTo("datachecksums/operator:1.2.3");
        Map<String, String> variables = new TreeMap<>();
        container
                .path("env")
                .forEach(e ->
                        variables.put(e.path("name").asText(), e.path("value").asText()));
        variables.keySet().removeIf(name -> !name.startsWith("DATACHECKSUMS_"));
        assertThat(variables)
                .isEqualTo(Map.of(
                        "DATACHECKSUMS_WATCH_NAMESPACES", "shop,bank",
                        "DATACHECKSUMS_LOG_FORMAT", "json",
                        "DATACHECKSUMS_LEADER_ELECTION", "true"));
    }

    @ParameterizedTest
    @CsvSource({
        "scope=Galaxy, scope",
        "replicas=many, replicas",
        "flags.no-such-flag=1, no-such-flag",
        "flags.resting-interval=5, resting-interval",
        "image.pullPolicy=Sometimes, pullPolicy",
        "unknown=1, unknown",
    })
    void whatCannotBeMeantIsRefused(String value, String named) throws Exception {
        Result result =
                run("scripts/helm", "template", "x", "manifests/helm", "--kube-version=1.34.0", "--set=" + value);
        assertThat(result.code()).isNotZero();
        assertThat(result.complaint()).contains("schema", named);
    }

    @Test
    void itsSchemaKnowsEveryFlag() throws IOException {
        Set<String> known = new TreeSet<>();
        JSON.readTree(Manifests.text("helm/values.schema.json"))
                .at("/properties/flags/properties")
                .fieldNames()
                .forEachRemaining(known::add);
        String usage = String.valueOf(
                catchThrowable(() -> Options.parse(List.of("--none"), Map.of())).getMessage());
        Set<String> flags = new TreeSet<>();
        Pattern.compile("--([a-z][-a-z]+)").matcher(usage).results().forEach(m -> flags.add(m.group(1)));
        // The ports stand in the pod's own template, and the namespaces are a value of their own.
        flags.removeAll(Set.of("none", "watch-namespaces", "metrics-port", "health-port"));
        assertThat(known).isEqualTo(flags);
    }

    @Test
    void itsPageExplainsEveryValue() {
        String page = Manifests.text("helm/README.md");
        JsonNode values = Serialization.unmarshal(Manifests.text("helm/values.yaml"), JsonNode.class);
        List<String> names = new ArrayList<>();
        values.fields().forEachRemaining(v -> {
            if (Set.of("resources", "image").contains(v.getKey())
                    || !v.getValue().isObject()) {
                names.add(v.getKey());
            }
            Iterator<String> inner = v.getKey().equals("resources")
                    ? List.<String>of().iterator()
                    : v.getValue().fieldNames();
            inner.forEachRemaining(i -> names.add(v.getKey() + "." + i));
        });
        names.remove("image");
        assertThat(names)
                .hasSizeGreaterThan(12)
                .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }

    private static JsonNode rules(Map<String, JsonNode> objects, String role) {
        return Objects.requireNonNull(objects.get(role)).path("rules");
    }

    private static Map<String, JsonNode> template(String namespace, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "scripts/helm",
                "template",
                "datachecksums",
                "manifests/helm",
                "--namespace=" + namespace,
                // What it takes a cluster for that it is not connected to.
                "--kube-version=1.34.0",
                "--include-crds"));
        command.addAll(List.of(more));
        return objects(run(command.toArray(new String[0])));
    }

    private static Map<String, JsonNode> objects(Result rendered) throws IOException {
        assertThat(rendered.code()).as(rendered.complaint()).isZero();
        Map<String, JsonNode> all = new TreeMap<>();
        for (String document : rendered.output().split("(?m)^---$", -1)) {
            if (document.replaceAll("(?m)^#.*$", "").isBlank()) {
                continue;
            }
            JsonNode object = Serialization.unmarshal(document, JsonNode.class);
            all.put(
                    object.path("kind").asText() + "/"
                            + object.at("/metadata/name").asText(),
                    object);
        }
        return all;
    }

    private static Result run(String... command) throws IOException, InterruptedException {
        File complaint = File.createTempFile("dck-chart-", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .directory(Manifests.FOLDER.resolve("..").toFile())
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectError(complaint)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IllegalStateException("still running: " + List.of(command));
            }
            return new Result(process.exitValue(), output, java.nio.file.Files.readString(complaint.toPath()));
        } finally {
            assertThat(complaint.delete()).isTrue();
        }
    }
}

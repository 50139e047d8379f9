package dev.datachecksums.e2e.testbed;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeSpec;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real cluster, in a namespace that is made for it and deleted at the end. Its node must be this machine, and we root on it, for {@link
 * #killContainer}; the images {@code postgres:15}, 17, 18 and 19 must be on it.
 */
public final class ClusterTestbed implements Testbed {
    private final Path kubeconfig;
    private final String namespace;
    private final KubernetesClient client;
    private final Installation installation;

    /**
     * Makes the namespace.
     *
     * @throws IllegalStateException without KUBECONFIG in the environment
     */
    public static ClusterTestbed open() {
        String file = System.getenv("KUBECONFIG");
        if (file == null || file.isBlank()) {
            throw new IllegalStateException("DCK_TESTBED=cluster needs KUBECONFIG");
        }
        return new ClusterTestbed(Path.of(file));
    }

    private ClusterTestbed(Path source) {
        client = new KubernetesClientBuilder().withConfig(config(source, null)).build();
        namespace = client.namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("dck-e2e-")
                        .endMetadata()
                        .build())
                .create()
                .getMetadata()
                .getName();
        kubeconfig = source;
        installation = Installation.of(client, namespace);
    }

    private static Config config(Path file, @Nullable String namespace) {
        try {
            Config config = Config.fromKubeconfig(Files.readString(file));
            return namespace == null
                    ? config
                    : new ConfigBuilder(config).withNamespace(namespace).build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public KubernetesClient client() {
        return client;
    }

    @Override
    public KubernetesClient operatorClient() {
        return new KubernetesClientBuilder()
                .withConfig(config(operatorKubeconfig(), namespace))
                .build();
    }

    @Override
    public Path operatorKubeconfig() {
        return installation.kubeconfig();
    }

    /** What a Deployment of the operator needs. */
    Installation installation() {
        return installation;
    }

    @Override
    public void deny(String verb, String resource) {
        installation.deny(verb, resource);
    }

    @Override
    public void allow(String verb, String resource) {
        installation.allow(verb, resource);
    }

    @Override
    public Path volume(PostgresInstance server) {
        String volume = client.persistentVolumeClaims()
                .inNamespace(namespace)
                .withName(server.claimName())
                .get()
                .getSpec()
                .getVolumeName();
        PersistentVolumeSpec spec =
                client.persistentVolumes().withName(volume).get().getSpec();
        return Path.of(
                spec.getLocal() == null
                        ? spec.getHostPath().getPath()
                        : spec.getLocal().getPath());
    }

    @Override
    public Path kubeconfig() {
        return kubeconfig;
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public String image(int major) {
        return "postgres:" + major;
    }

    @Override
    public int defaultMajor() {
        return 18;
    }

    @Override
    public String mountPath(String name) {
        return "/var/lib/postgresql/data";
    }

    @Override
    public void forceDelete(String pod) {
        client.pods().inNamespace(namespace).withName(pod).withGracePeriod(0).delete();
    }

    @Override
    public void killContainer(String podName, String container) {
        String id = Optional.ofNullable(
                        client.pods().inNamespace(namespace).withName(podName).get())
                .map(Pod::getStatus)
                .flatMap(s -> s.getContainerStatuses().stream()
                        .filter(c ->
                                c.getName().equals(container) && c.getState().getRunning() != null)
                        .findFirst())
                .map(ContainerStatus::getContainerID)
                .map(full -> full.substring(full.lastIndexOf('/') + 1))
                .orElseThrow(() -> new IllegalStateException(podName + "/" + container + " does not run"));
        long pid = firstProcess(id)
                .orElseThrow(() -> new IllegalStateException(
                        "no process of container " + id + " on this machine: is it the cluster's node?"));
        if (!ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly).orElse(false)) {
            throw new IllegalStateException("could not kill process " + pid);
        }
    }

    /** The process of a container that is number 1 in its own PID namespace. */
    private static Optional<Long> firstProcess(String containerId) {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(p -> p.getFileName().toString().matches("\\d+"))
                    .filter(p -> read(p.resolve("cgroup")).contains(containerId))
                    .filter(p -> read(p.resolve("status"))
                            .lines()
                            .filter(line -> line.startsWith("NSpid:"))
                            .anyMatch(line -> {
                                String[] ids = line.split("\\s+", -1);
                                return ids.length > 2 && ids[ids.length - 1].equals("1");
                            }))
                    .map(p -> Long.valueOf(p.getFileName().toString()))
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empty for a process that has just ended. */
    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public String dump() {
        return new Dump(client, namespace).write();
    }

    @Override
    public void close() {
        letGo();
        installation.close();
        client.namespaces().withName(namespace).delete();
        client.close();
    }

    /** What a scenario that failed left half done would keep the namespace for ever: no operator is there to let it go. */
    private void letGo() {
        PatchContext merge = PatchContext.of(PatchType.JSON_MERGE);
        String none = "{\"metadata\":{\"finalizers\":null}}";
        client.resources(DataChecksums.class).inNamespace(namespace).list().getItems().stream()
                .filter(ClusterTestbed::kept)
                .forEach(d -> client.resource(d).patch(merge, none));
        client.pods().inNamespace(namespace).list().getItems().stream()
                .filter(ClusterTestbed::kept)
                .forEach(p -> client.resource(p).patch(merge, none));
    }

    private static boolean kept(HasMetadata object) {
        return object.getMetadata().getFinalizers().stream().anyMatch(f -> f.startsWith("datachecksums.dev/"));
    }
}

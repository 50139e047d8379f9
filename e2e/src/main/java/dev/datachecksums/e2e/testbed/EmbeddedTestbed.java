package dev.datachecksums.e2e.testbed;

import dev.datachecksums.e2e.testbed.api.Access;
import dev.datachecksums.e2e.testbed.node.EmbeddedNode;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The embedded cluster: API server, controllers and kubelet of this JVM, PostgreSQL of this machine. */
public final class EmbeddedTestbed implements Testbed {
    /** The user name of {@link #operatorClient()}, as {@link Access} has it. */
    public static final String OPERATOR = "operator";

    private static final String NAMESPACE = "demo";
    private static final List<Integer> MAJORS = List.of(18, 17, 16, 15, 19);

    private final Path root;
    private final EmbeddedNode node;
    private final KubernetesClient client;
    private final Path kubeconfig;
    private final Thread atExit = new Thread(this::release, "close-embedded-testbed");
    private boolean released;

    /** Starts one; ready when this returns. */
    public static EmbeddedTestbed start() {
        return new EmbeddedTestbed(Duration.ofSeconds(10));
    }

    /**
     * Starts one whose containers back off for another time than the kubelet's.
     *
     * @param backOff before the second restart of a container, doubled each time
     */
    public static EmbeddedTestbed start(Duration backOff) {
        return new EmbeddedTestbed(backOff);
    }

    private EmbeddedTestbed(Duration backOff) {
        try {
            root = Files.createTempDirectory("dck-");
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
            node = EmbeddedNode.start(root, backOff);
            kubeconfig = node.api().writeKubeconfig(root.resolve("kubeconfig"), "admin", NAMESPACE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(atExit);
        client = client("admin");
        client.namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
    }

    private KubernetesClient client(String user) {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(node.api().url())
                .withNamespace(NAMESPACE)
                .withOauthToken(user)
                .withRequestRetryBackoffLimit(0)
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    @Override
    public KubernetesClient client() {
        return client;
    }

    @Override
    public KubernetesClient operatorClient() {
        return client(OPERATOR);
    }

    /** What the operator may not do. */
    public Access access() {
        return node.api().access();
    }

    @Override
    public Path operatorKubeconfig() {
        return operatorKubeconfig(OPERATOR);
    }

    /** The same for an operator that {@link #access} tells from others by its name. */
    public Path operatorKubeconfig(String user) {
        try {
            return node.api().writeKubeconfig(root.resolve(user + ".kubeconfig"), user, NAMESPACE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void deny(String verb, String resource) {
        access().deny(OPERATOR, verb, resource);
    }

    @Override
    public void allow(String verb, String resource) {
        access().allow(OPERATOR, verb, resource);
    }

    @Override
    public Path volume(PostgresInstance server) {
        return Path.of(mountPath(server.name()));
    }

    @Override
    public Path kubeconfig() {
        return kubeconfig;
    }

    @Override
    public String namespace() {
        return NAMESPACE;
    }

    @Override
    public String image(int major) {
        return "postgres:" + major;
    }

    @Override
    public int defaultMajor() {
        return MAJORS.stream()
                .filter(EmbeddedNode::canRun)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no PostgreSQL server is installed on this machine"));
    }

    @Override
    public String mountPath(String name) {
        return root.resolve("volumes").resolve(name).toString();
    }

    @Override
    public void forceDelete(String pod) {
        client.pods().inNamespace(NAMESPACE).withName(pod).withGracePeriod(0).delete();
    }

    @Override
    public void killContainer(String pod, String container) {
        if (!node.kill(NAMESPACE, pod, container)) {
            throw new IllegalStateException(pod + "/" + container + " does not run");
        }
    }

    /** For so long the node begins no pod and ends none, as if its agent had stopped. */
    public void stopNodeAgentFor(Duration time) {
        node.stopAgentFor(time);
    }

    @Override
    public String dump() {
        return new Dump(client, NAMESPACE).write();
    }

    @Override
    public void close() {
        release();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }

    private synchronized void release() {
        if (released) {
            return;
        }
        released = true;
        node.close();
        client.close();
        deleteTree();
    }

    /** Servers that are just being killed may still make files: look again. */
    private void deleteTree() {
        for (int tries = 0; tries < 20 && Files.exists(root); tries++) {
            try (Stream<Path> all = Files.walk(root)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException | UncheckedIOException e) {
                Pause.of(Duration.ofMillis(100));
            }
        }
    }
}

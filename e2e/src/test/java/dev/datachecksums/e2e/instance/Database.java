package dev.datachecksums.e2e.instance;

import static org.awaitility.Awaitility.await;

import dev.datachecksums.api.v1alpha1.InstanceRef;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A namespace of its own on the cluster of $KUBECONFIG, with one PostgreSQL in a StatefulSet {@code db}. Removed at the end. */
final class Database implements AutoCloseable {

    static final String POD = "db-0";
    static final String DATA = "/var/lib/postgresql/data/pgdata";
    static final InstanceRef REF = new InstanceRef("apps/v1", "StatefulSet", "db", null);

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final KubernetesClient client = new KubernetesClientBuilder().build();
    private final String namespace =
            "dck-instance-" + UUID.randomUUID().toString().substring(0, 8);

    Database() {
        client.namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        // Pods are refused until the controller has made it.
        await().atMost(PATIENCE)
                .until(() -> client.serviceAccounts()
                                .inNamespace(namespace)
                                .withName("default")
                                .get()
                        != null);
    }

    KubernetesClient client() {
        return client;
    }

    String namespace() {
        return namespace;
    }

    /** Creates the StatefulSet and waits until its server serves. */
    Database start() {
        try (InputStream in = Database.class.getResourceAsStream("database.yaml")) {
            StatefulSet set = client.apps().statefulSets().load(in).item();
            client.apps().statefulSets().inNamespace(namespace).resource(set).create();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            awaitReady(null);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        return this;
    }

    /** Waits until the pod is ready, as another than before. */
    Pod awaitReady(@Nullable String notUid) {
        return await().atMost(PATIENCE)
                .until(this::pod, found -> found.filter(p -> ready(p, notUid)).isPresent())
                .orElseThrow();
    }

    private static boolean ready(Pod pod, @Nullable String notUid) {
        return !pod.getMetadata().getUid().equals(notUid)
                && pod.getStatus().getConditions().stream()
                        .anyMatch(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus()));
    }

    Optional<Pod> pod() {
        return Optional.ofNullable(
                client.pods().inNamespace(namespace).withName(POD).get());
    }

    /** A pod that does nothing, on the claim of the database. */
    void mountElsewhere(String name) {
        client.pods()
                .inNamespace(namespace)
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withTerminationGracePeriodSeconds(0L)
                        .addNewContainer()
                        .withName("sleep")
                        .withImage("postgres:17")
                        .withCommand("sleep", "600")
                        .endContainer()
                        .addNewVolume()
                        .withName("data")
                        .withNewPersistentVolumeClaim("data-db-0", false)
                        .endVolume()
                        .endSpec()
                        .build())
                .create();
    }

    String sql(String statement) {
        return exec("psql", "-U", "postgres", "-h", "localhost", "-XAtc", statement);
    }

    /** Runs a program in the database's container as postgres and gives what it wrote. */
    String exec(String... command) {
        String[] all = new String[command.length + 4];
        System.arraycopy(new String[] {"setpriv", "--reuid=999", "--regid=999", "--clear-groups"}, 0, all, 0, 4);
        System.arraycopy(command, 0, all, 4, command.length);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ExecWatch run = client.pods()
                .inNamespace(namespace)
                .withName(POD)
                .inContainer("postgres")
                .writingOutput(out)
                .writingError(out)
                .exec(all)) {
            Integer code = run.exitCode().get(60, TimeUnit.SECONDS);
            String text = out.toString(StandardCharsets.UTF_8).strip();
            if (code == null || code != 0) {
                throw new IllegalStateException("exit code " + code + ": " + text);
            }
            return text;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (pod().filter(p -> !p.getMetadata().getFinalizers().isEmpty()).isPresent()) {
            client.pods()
                    .inNamespace(namespace)
                    .withName(POD)
                    .edit(p -> new PodBuilder(p)
                            .editMetadata()
                            .withFinalizers()
                            .endMetadata()
                            .build());
        }
        client.namespaces().withName(namespace).delete();
        client.close();
    }
}

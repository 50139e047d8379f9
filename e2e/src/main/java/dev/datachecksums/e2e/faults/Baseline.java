package dev.datachecksums.e2e.faults;

import dev.datachecksums.e2e.testbed.PostgresInstance;
import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.operator.offline.JobNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What is there while no conversion is under way, and so must be there again, and nothing else. */
final class Baseline {
    private static final String OURS = "datachecksums.dev/";
    /** A server makes and removes them. */
    private static final Set<String> COMES_AND_GOES =
            Set.of("postmaster.pid", "backup_label.old", "tablespace_map.old", "logfile", "current_logfiles");

    private final Testbed testbed;
    private final PostgresInstance server;
    private final Path volume;
    private final Path data;
    private final Set<String> names;
    private final String settings;
    private final Map<String, String> objects;

    Baseline(Testbed testbed, PostgresInstance server) {
        this.testbed = testbed;
        this.server = server;
        this.volume = testbed.volume(server);
        this.data = volume.resolve(Path.of(server.dataDirectory()).getFileName());
        this.names = names();
        this.settings = settings();
        this.objects = objects();
    }

    private Set<String> names() {
        Set<String> all = new TreeSet<>(list(volume));
        list(data).stream()
                .filter(n -> !COMES_AND_GOES.contains(n))
                .map(n -> "data/" + n)
                .forEach(all::add);
        return all;
    }

    private static List<String> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(f -> f.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String settings() {
        try {
            return Files.readString(data.resolve("postgresql.auto.conf"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a person declared, of everything that the operator has no business with. */
    private Map<String, String> objects() {
        KubernetesClient client = testbed.client();
        String namespace = testbed.namespace();
        List<HasMetadata> all = new ArrayList<>();
        all.addAll(client.apps().statefulSets().inNamespace(namespace).list().getItems());
        all.addAll(client.services().inNamespace(namespace).list().getItems());
        all.addAll(client.secrets().inNamespace(namespace).list().getItems());
        all.addAll(client.configMaps().inNamespace(namespace).list().getItems());
        all.addAll(client.persistentVolumeClaims().inNamespace(namespace).list().getItems());
        Map<String, String> digests = new TreeMap<>();
        for (HasMetadata object : all) {
            Map<?, ?> tree = Serialization.unmarshal(Serialization.asJson(object), Map.class);
            Map<?, ?> metadata = (Map<?, ?>) Objects.requireNonNull(tree.get("metadata"));
            digests.put(
                    object.getKind() + " " + object.getMetadata().getName(),
                    String.valueOf(List.of(
                            String.valueOf(tree.get("spec")),
                            String.valueOf(tree.get("data")),
                            String.valueOf(metadata.get("labels")),
                            String.valueOf(metadata.get("annotations")),
                            String.valueOf(metadata.get("finalizers")),
                            String.valueOf(metadata.get("ownerReferences")))));
        }
        return digests;
    }

    /** Interlocks, holds, finalizers, Jobs, pods, files, slots that a conversion has left. */
    List<String> left(List<String> finalizers) {
        List<String> left = new ArrayList<>();
        KubernetesClient client = testbed.client();
        Stream.concat(
                        client.batch().v1().jobs().inNamespace(testbed.namespace()).list().getItems().stream(),
                        client.pods().inNamespace(testbed.namespace()).list().getItems().stream())
                .filter(o -> o.getMetadata().getLabels() != null
                        && o.getMetadata().getLabels().containsKey(JobNames.RESOURCE_UID))
                .forEach(o -> left.add(o.getKind() + " " + o.getMetadata().getName()));
        server.pod().ifPresent(p -> left.addAll(marks(p)));
        finalizers.forEach(f -> left.add("the declaration's finalizer " + f));
        if (!settings().equals(settings)) {
            left.add("postgresql.auto.conf is now: " + settings());
        }
        Set<String> now = names();
        now.stream().filter(n -> !names.contains(n)).forEach(n -> left.add("file " + n));
        names.stream().filter(n -> !now.contains(n)).forEach(n -> left.add("no file " + n));
        String slots = server.query("select string_agg(slot_name, ' ') from pg_replication_slots");
        if (!slots.isEmpty()) {
            left.add("slots " + slots);
        }
        return left;
    }

    private static List<String> marks(Pod pod) {
        List<String> marks = new ArrayList<>();
        pod.getMetadata().getFinalizers().stream()
                .filter(f -> f.startsWith(OURS))
                .forEach(f -> marks.add("the pod's finalizer " + f));
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        if (annotations != null) {
            annotations.keySet().stream()
                    .filter(k -> k.startsWith(OURS))
                    .forEach(k -> marks.add("the pod's annotation " + k));
        }
        return marks;
    }

    /** Objects that are not as they were declared, and requests to change what is none of the operator's business. */
    List<String> touched(String declaration, List<ApiProxy.Change> changes) {
        List<String> touched = new ArrayList<>();
        Map<String, String> now = objects();
        objects.forEach((name, digest) -> {
            if (!digest.equals(now.get(name))) {
                touched.add(name + " was " + digest + " and is " + now.get(name));
            }
        });
        changes.stream().filter(c -> !allowed(declaration, c)).forEach(c -> touched.add(c.method() + " " + c.path()));
        return touched;
    }

    private boolean allowed(String declaration, ApiProxy.Change change) {
        String object = ApiSteps.object(change.path());
        boolean here = ApiSteps.namespace(change.path()).equals(testbed.namespace());
        return switch (ApiSteps.resource(change.path())) {
            case "datachecksums", "datachecksums/status" -> here && object.equals(declaration);
            case "events" -> here && change.method().equals("POST");
            case "pods" ->
                here
                        && object.equals(server.podName())
                        && (change.method().equals("PATCH") || change.method().equals("DELETE"));
            case "jobs" ->
                here
                        && (change.method().equals("POST")
                                || (change.method().equals("DELETE") && object.startsWith("dck-" + declaration)));
            case "leases" -> true;
            default -> false;
        };
    }
}

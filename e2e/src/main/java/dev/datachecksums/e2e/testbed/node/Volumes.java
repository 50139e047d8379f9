package dev.datachecksums.e2e.testbed.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Volumes are directories at their mount paths, which must be inside the testbed's directory; mounts elsewhere, such as an emptyDir at
 * /tmp, mean the directory that this machine has there.
 */
final class Volumes {
    private final Path root;
    private final ClusterObjects objects;
    private final LocalProcesses processes;
    /** Where a claim was mounted, by its uid. */
    private final Map<String, Path> claims = new ConcurrentHashMap<>();

    Volumes(Path root, ClusterObjects objects, LocalProcesses processes) {
        this.root = root;
        this.objects = objects;
        this.processes = processes;
    }

    /** Makes the directories of a pod's volumes. Says why not, if something that it needs is missing. */
    Optional<String> mount(ObjectNode pod) {
        for (JsonNode volume : Json.at(pod, "spec.volumes")) {
            String claimName = Json.text(volume, "persistentVolumeClaim.claimName");
            if (!claimName.isEmpty()) {
                Optional<ObjectNode> claim =
                        objects.find(ClusterObjects.CLAIMS, ClusterObjects.namespace(pod), claimName);
                if (claim.isEmpty() || !ClusterObjects.phase(claim.get()).equals("Bound")) {
                    return Optional.of("persistentvolumeclaim \"" + claimName + "\" is not bound");
                }
                paths(pod, volume).forEach(p -> claims.put(ClusterObjects.uid(claim.get()), p));
            }
            String secretName = Json.text(volume, "secret.secretName");
            if (!secretName.isEmpty()
                    && !Json.at(volume, "secret.optional").asBoolean()
                    && objects.find("secrets", ClusterObjects.namespace(pod), secretName)
                            .isEmpty()) {
                return Optional.of("secret \"" + secretName + "\" not found");
            }
        }
        for (JsonNode volume : Json.at(pod, "spec.volumes")) {
            paths(pod, volume).forEach(path -> prepare(pod, volume, path));
        }
        return Optional.empty();
    }

    /** What was in a pod's emptyDirs goes with the pod. */
    void unmount(ObjectNode pod) {
        for (JsonNode volume : Json.at(pod, "spec.volumes")) {
            if (volume.has("emptyDir")) {
                paths(pod, volume).forEach(Volumes::delete);
            }
        }
    }

    /** What was in a claim goes with the claim. */
    void wipe(ObjectNode claim) {
        Path path = claims.remove(ClusterObjects.uid(claim));
        if (path != null) {
            delete(path);
        }
    }

    private void prepare(ObjectNode pod, JsonNode volume, Path path) {
        try {
            boolean fresh = !Files.exists(path);
            Files.createDirectories(path);
            for (Map.Entry<String, JsonNode> file : files(pod, volume).properties()) {
                Files.write(
                        path.resolve(file.getKey()),
                        Base64.getDecoder().decode(file.getValue().asText()));
            }
            if (fresh) {
                processes.own(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode files(ObjectNode pod, JsonNode volume) {
        String secretName = Json.text(volume, "secret.secretName");
        return secretName.isEmpty()
                ? Json.object()
                : objects.find("secrets", ClusterObjects.namespace(pod), secretName)
                        .map(s -> s.path("data"))
                        .orElse(Json.object());
    }

    private Stream<Path> paths(ObjectNode pod, JsonNode volume) {
        String name = volume.path("name").asText();
        return Stream.of("initContainers", "containers")
                .flatMap(list -> Json.items(Json.at(pod, "spec." + list)).stream())
                .flatMap(c -> Json.items(c.path("volumeMounts")).stream())
                .filter(m -> m.path("name").asText().equals(name))
                .map(m -> Path.of(m.path("mountPath").asText()).normalize())
                .filter(p -> p.startsWith(root) && !p.equals(root))
                .distinct();
    }

    static void delete(Path path) {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.datachecksums.e2e.testbed;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files under {@code manifests}, read without kustomize. */
final class Shipped {
    private Shipped() {}

    static List<HasMetadata> base() {
        return read("base");
    }

    /** Creates what is not there yet: an embedded API knows no server-side apply. */
    static void createCrds(KubernetesClient client) {
        for (HasMetadata crd : read("crds")) {
            if (client.resource(crd).get() == null) {
                client.resource(crd).create();
            }
        }
    }

    static void applyCrds(KubernetesClient client) {
        read("crds").forEach(crd -> client.resource(crd).forceConflicts().serverSideApply());
    }

    private static List<HasMetadata> read(String folder) {
        // From the project's root, or from a module.
        Path here = Path.of("manifests");
        Path manifests = Files.isDirectory(here) ? here : Path.of("../manifests");
        try (Stream<Path> files = Files.list(manifests.resolve(folder))) {
            return files.filter(f -> f.toString().endsWith(".yaml") && !f.endsWith("kustomization.yaml"))
                    .sorted()
                    .flatMap(Shipped::documents)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<HasMetadata> documents(Path file) {
        try {
            return Stream.of(Files.readString(file).split("(?m)^---$", -1))
                    .map(d -> (HasMetadata) Serialization.unmarshal(d, KubernetesResource.class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.datachecksums.e2e.manifests;

import dev.datachecksums.e2e.testbed.api.Access;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The files under {@code manifests}, read without kustomize. */
final class Manifests {
    /** Surefire runs in the module's folder. */
    static final Path FOLDER = Path.of("../manifests").toAbsolutePath().normalize();

    private Manifests() {}

    /** The project's, by the parent's pom.xml. */
    static String version() {
        String parent = text("../pom.xml");
        return parent.substring(parent.indexOf("<version>") + 9, parent.indexOf("</version>"));
    }

    static List<HasMetadata> base() {
        return all(FOLDER.resolve("base"));
    }

    /** The only object of its kind. */
    static <T extends HasMetadata> T only(List<HasMetadata> objects, Class<T> kind) {
        List<T> found = all(objects, kind);
        if (found.size() != 1) {
            throw new IllegalStateException("one " + kind.getSimpleName() + " expected, not " + found.size());
        }
        return found.get(0);
    }

    static <T extends HasMetadata> List<T> all(List<HasMetadata> objects, Class<T> kind) {
        return objects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    static List<HasMetadata> all(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".yaml") && !file.endsWith("kustomization.yaml"))
                    .sorted()
                    .flatMap(file -> documents(file).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the base's ClusterRole grants, each right as the embedded API names it. */
    static Set<Access.Right> granted() {
        Set<Access.Right> rights = new LinkedHashSet<>();
        // Leases only in its own namespace.
        List<PolicyRule> rules = new ArrayList<>(only(base(), ClusterRole.class).getRules());
        rules.addAll(only(base(), Role.class).getRules());
        for (PolicyRule rule : rules) {
            for (String resource : rule.getResources()) {
                int slash = resource.indexOf('/');
                String name = slash < 0 ? resource : resource.substring(0, slash);
                String group = rule.getApiGroups().get(0);
                String qualified =
                        (group.isEmpty() ? name : name + "." + group) + (slash < 0 ? "" : resource.substring(slash));
                rule.getVerbs().forEach(verb -> rights.add(new Access.Right(verb, qualified)));
            }
        }
        return rights;
    }

    static String text(String file) {
        try {
            return Files.readString(FOLDER.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<HasMetadata> documents(Path file) {
        return Stream.of(text(FOLDER.relativize(file).toString()).split("(?m)^---$", -1))
                .map(document -> (HasMetadata) Serialization.unmarshal(document, KubernetesResource.class))
                .toList();
    }
}

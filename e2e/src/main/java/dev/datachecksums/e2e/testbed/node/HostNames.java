package dev.datachecksums.e2e.testbed.node;

import static dev.datachecksums.e2e.testbed.node.ClusterObjects.name;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.namespace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's DNS: the file that the JVM resolves names from, if it was started with {@code -Djdk.net.hosts.file}. Pods with a subdomain
 * and services by all the usual forms of their names.
 */
final class HostNames implements ControlLoop.Controller {
    private static final List<String> SUFFIXES = List.of("", ".svc", ".svc.cluster.local");

    private final ClusterObjects objects;
    private final @Nullable Path file;
    private Set<String> written = Set.of();

    HostNames(ClusterObjects objects) {
        this.objects = objects;
        String given = System.getProperty("jdk.net.hosts.file");
        this.file = given == null ? null : Path.of(given);
    }

    @Override
    public void reconcile(ControlLoop.Again again) {
        if (file == null) {
            return;
        }
        Set<String> lines = new TreeSet<>();
        lines.add("127.0.0.1 localhost");
        lines.add("127.0.0.1 " + System.getenv().getOrDefault("HOSTNAME", "localhost"));
        for (ObjectNode pod : objects.list(ClusterObjects.PODS)) {
            String address = Json.text(pod, "status.podIP");
            String subdomain = Json.text(pod, "spec.subdomain");
            if (!address.isEmpty() && !subdomain.isEmpty()) {
                add(lines, address, Json.text(pod, "spec.hostname") + "." + subdomain, namespace(pod));
            }
        }
        for (ObjectNode service : objects.list("services")) {
            backend(service).ifPresent(address -> add(lines, address, name(service), namespace(service)));
        }
        if (!lines.equals(written)) {
            write(file, lines);
            written = lines;
        }
    }

    private Optional<String> backend(ObjectNode service) {
        JsonNode selector = Json.at(service, "spec.selector");
        return selector.isEmpty()
                ? Optional.empty()
                : objects.list(ClusterObjects.PODS, namespace(service)).stream()
                        .filter(pod -> ClusterObjects.conditionHolds(pod, "Ready"))
                        .filter(pod -> selector.properties().stream()
                                .allMatch(e -> pod.path("metadata")
                                        .path("labels")
                                        .path(e.getKey())
                                        .equals(e.getValue())))
                        .map(pod -> Json.text(pod, "status.podIP"))
                        .findFirst();
    }

    private static void add(Set<String> lines, String address, String name, String namespace) {
        lines.add(address + " " + name);
        SUFFIXES.forEach(suffix -> lines.add(address + " " + name + "." + namespace + suffix));
    }

    private static void write(Path file, Set<String> lines) {
        try {
            Path next = file.resolveSibling(file.getFileName() + ".next");
            Files.write(next, lines);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

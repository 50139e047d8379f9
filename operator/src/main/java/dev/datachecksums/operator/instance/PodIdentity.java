package dev.datachecksums.operator.instance;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/** Where a server's data is and as whom it runs, as far as the spec of its pod says. Its image may know better. Pure. */
public final class PodIdentity {

    private PodIdentity() {}

    /** The container's PGDATA. */
    public static Optional<String> dataDirectory(Pod pod, String container) {
        return container(pod, container)
                .flatMap(c -> Variables.expand(pod, c, "$(PGDATA)"))
                .filter(directory -> directory.startsWith("/"));
    }

    /** {@code uid:gid} of the container, else of the pod; the group is the user's number where only that is given. Empty for root. */
    public static Optional<String> runAs(Pod pod, String container) {
        Optional<Long> user = container(pod, container)
                .map(Container::getSecurityContext)
                .map(s -> s.getRunAsUser())
                .or(() ->
                        Optional.ofNullable(pod.getSpec().getSecurityContext()).map(s -> s.getRunAsUser()))
                .filter(u -> u != 0);
        Optional<Long> group = container(pod, container)
                .map(Container::getSecurityContext)
                .map(s -> s.getRunAsGroup())
                .or(() ->
                        Optional.ofNullable(pod.getSpec().getSecurityContext()).map(s -> s.getRunAsGroup()));
        return user.map(u -> u + ":" + group.orElse(u));
    }

    private static Optional<Container> container(Pod pod, String name) {
        return pod.getSpec().getContainers().stream()
                .filter(c -> c.getName().equals(name))
                .findFirst();
    }
}

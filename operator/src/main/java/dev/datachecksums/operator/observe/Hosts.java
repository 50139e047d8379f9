package dev.datachecksums.operator.observe;

import io.fabric8.kubernetes.api.model.Service;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a declared host means: a service of the resource's own namespace, in any of the usual forms of its name, or a pod
 * behind one; else what the operator was started to allow. A name is completed with the namespace before it is looked
 * up: the resolver would search the operator's own namespace.
 */
final class Hosts {

    private static final List<String> CLUSTER = List.of("svc", "svc.cluster.local");
    private static final String REMEDY = "name a Service of this namespace in spec.connection.host, or leave it out;"
            + " to allow it for everybody, start the operator with --allow-external-hosts";

    /** Gets a Service by namespace and name. */
    interface Services {
        @Nullable
        Service get(String namespace, String name);
    }

    private final Services services;
    private final ExternalHosts external;

    Hosts(Services services, ExternalHosts external) {
        this.services = services;
        this.external = external;
    }

    /** What to connect to, or why that is refused ({@code HostNotAllowed}). */
    Fact<String> resolve(String namespace, String host, Optional<String> podAddress) {
        if (external.allow(host) || podAddress.filter(host::equals).isPresent()) {
            return Fact.known(host);
        }
        Optional<String> inside = inside(namespace, host.toLowerCase(Locale.ROOT));
        if (inside.isEmpty()) {
            return refused("the host " + host + " is not a Service of namespace " + namespace);
        }
        String[] labels = inside.get().split("\\.", -1);
        String name = labels[labels.length - 1];
        Service service = services.get(namespace, name);
        if (service == null) {
            return refused("there is no Service " + name + " in namespace " + namespace);
        }
        if ("ExternalName".equals(service.getSpec().getType())
                || service.getSpec().getSelector() == null
                || service.getSpec().getSelector().isEmpty()) {
            return refused("the Service " + name + " selects no pods: it may lead out of namespace " + namespace);
        }
        return Fact.known(inside.get() + "." + namespace + ".svc");
    }

    /** The labels of service, or of pod and service, if the name stays inside. */
    private static Optional<String> inside(String namespace, String host) {
        if (host.contains(":") || host.matches("[0-9.]+")) {
            return Optional.empty();
        }
        List<String> labels = Arrays.asList(host.split("\\.", -1));
        if (labels.contains("")) {
            return Optional.empty();
        }
        for (int i = 1; i <= 2 && i <= labels.size(); i++) {
            String rest = String.join(".", labels.subList(i, labels.size()));
            boolean complete = rest.isEmpty()
                    || rest.equals(namespace)
                    || CLUSTER.stream().anyMatch(c -> rest.equals(namespace + "." + c));
            if (complete) {
                return Optional.of(String.join(".", labels.subList(0, i)));
            }
        }
        return Optional.empty();
    }

    private static Fact<String> refused(String what) {
        return Fact.missing("HostNotAllowed", what, REMEDY);
    }
}

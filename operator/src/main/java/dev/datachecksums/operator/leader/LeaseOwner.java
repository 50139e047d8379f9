package dev.datachecksums.operator.leader;

import dev.datachecksums.operator.observe.ApiProblem;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The Deployment of the pod that this runs in. A Lease is no part of the manifests: Argo CD takes none into an application, and reports
 * one that is there (argo-cd#12722).
 */
final class LeaseOwner {

    private static final String DEPLOYMENT = "Deployment";

    private final KubernetesClient client;
    private final String namespace;
    private final String pod;

    private @Nullable List<OwnerReference> known;

    /** Of the pod of that name in that namespace, if there is one. */
    LeaseOwner(KubernetesClient client, String namespace, String pod) {
        this.client = client;
        this.namespace = namespace;
        this.pod = pod;
    }

    /** One reference; none if this runs in no pod of that namespace, or not in one of a Deployment, or that cannot be seen. */
    List<OwnerReference> references() {
        List<OwnerReference> found = known;
        if (found == null) {
            try {
                found = look().map(List::of).orElse(List.of());
            } catch (KubernetesClientException e) {
                if (ApiProblem.kind(e).equals(ApiProblem.UNAVAILABLE)) {
                    // Asked again at the next renewal: to have the Lease does not wait for this.
                    return List.of();
                }
                found = List.of();
            }
            known = found;
        }
        return found;
    }

    private Optional<OwnerReference> look() {
        return Optional.ofNullable(
                        client.pods().inNamespace(namespace).withName(pod).get())
                .flatMap(p -> controller(p, "ReplicaSet"))
                .flatMap(set -> client
                        .apps()
                        .replicaSets()
                        .inNamespace(namespace)
                        .withField("metadata.name", set.getName())
                        .list()
                        .getItems()
                        .stream()
                        .filter(s -> Objects.equals(s.getMetadata().getUid(), set.getUid()))
                        .findFirst())
                .flatMap(s -> controller(s, DEPLOYMENT))
                // The Lease is not controlled by it, and does not hold its deletion up.
                .map(d -> new OwnerReferenceBuilder()
                        .withApiVersion(d.getApiVersion())
                        .withKind(d.getKind())
                        .withName(d.getName())
                        .withUid(d.getUid())
                        .build());
    }

    private static Optional<OwnerReference> controller(HasMetadata object, String kind) {
        return object.getMetadata().getOwnerReferences().stream()
                .filter(r -> Boolean.TRUE.equals(r.getController())
                        && r.getKind().equals(kind)
                        && r.getApiVersion().startsWith("apps/"))
                .findFirst();
    }
}

package dev.datachecksums.operator.act;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.operator.observe.Observation;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The resource's own object: our finalizer on it. It is there only while something is to be restored, so that deleting
 * a resource at rest needs nobody.
 */
public final class Resources {

    private static final int TRIES = 5;
    private static final int CONFLICT = 409;

    private final KubernetesClient client;

    /** With the client it writes through. */
    public Resources(KubernetesClient client) {
        this.client = client;
    }

    /** The object as it is now; empty if it has gone. */
    public Optional<DataChecksums> get(String namespace, String name) {
        return Optional.ofNullable(handle(namespace, name).get());
    }

    /** Puts our finalizer on; gives the resource's version after that. */
    Optional<String> addFinalizer(Observation.Resource r) {
        return change(r.namespace(), r.name(), r.uid(), before -> {
            List<String> after = new ArrayList<>(before);
            if (!after.contains(Observation.FINALIZER)) {
                after.add(Observation.FINALIZER);
            }
            return after;
        });
    }

    void removeFinalizer(Observation.Resource r) {
        removeFinalizer(r.namespace(), r.name(), r.uid());
    }

    void removeFinalizer(String namespace, String name, String uid) {
        change(
                namespace,
                name,
                uid,
                before -> before.stream()
                        .filter(f -> !f.equals(Observation.FINALIZER))
                        .toList());
    }

    private Optional<String> change(String namespace, String name, String uid, UnaryOperator<List<String>> edit) {
        for (int i = 1; ; i++) {
            DataChecksums now = handle(namespace, name).get();
            if (now == null || !now.getMetadata().getUid().equals(uid)) {
                return Optional.empty();
            }
            List<String> before = now.getMetadata().getFinalizers() == null
                    ? List.of()
                    : now.getMetadata().getFinalizers();
            List<String> after = edit.apply(before);
            if (after.equals(before)) {
                return Optional.of(now.getMetadata().getResourceVersion());
            }
            try {
                // A patch, so that fields which this version does not know survive; with the resourceVersion, so that
                // somebody else's finalizer that came between is a 409 and not lost.
                DataChecksums changed = handle(namespace, name)
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                Serialization.asJson(Map.of(
                                        "metadata",
                                        Map.of(
                                                "resourceVersion",
                                                now.getMetadata().getResourceVersion(),
                                                "finalizers",
                                                after))));
                return Optional.ofNullable(changed).map(c -> c.getMetadata().getResourceVersion());
            } catch (KubernetesClientException e) {
                if (e.getCode() != CONFLICT || i == TRIES) {
                    throw e;
                }
            }
        }
    }

    private Resource<DataChecksums> handle(String namespace, String name) {
        return client.resources(DataChecksums.class).inNamespace(namespace).withName(name);
    }
}

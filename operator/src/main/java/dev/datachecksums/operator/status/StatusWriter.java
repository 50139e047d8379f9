package dev.datachecksums.operator.status;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;

/**
 * The only class that writes status: the whole of it, by PUT with the resourceVersion that the observation was made
 * of, and only when something that a reader cares about has changed.
 */
public final class StatusWriter {

    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;

    private final KubernetesClient client;

    /** With the client it writes through. */
    public StatusWriter(KubernetesClient client) {
        this.client = client;
    }

    /** How a write ended. */
    public enum Written {
        /** It was equal to what stands there. */
        UNCHANGED,
        /** It stands there now. */
        WRITTEN,
        /** Somebody changed the object meanwhile, or deleted it: observe again. */
        STALE
    }

    /**
     * Writes the status.
     *
     * @param observed the object that was observed
     * @param version its version where the operator itself has changed it since
     * @throws KubernetesClientException if the API server refuses or does not answer
     */
    public Written write(DataChecksums observed, DataChecksumsStatus status, Optional<String> version) {
        if (status.equals(observed.getStatus())) {
            return Written.UNCHANGED;
        }
        DataChecksums next = new DataChecksums();
        next.setMetadata(new ObjectMetaBuilder(observed.getMetadata())
                .withResourceVersion(version.orElse(observed.getMetadata().getResourceVersion()))
                .build());
        next.setSpec(observed.getSpec());
        next.setStatus(status);
        try {
            client.resource(next)
                    .inNamespace(observed.getMetadata().getNamespace())
                    .updateStatus();
            return Written.WRITTEN;
        } catch (KubernetesClientException e) {
            if (e.getCode() == CONFLICT || e.getCode() == NOT_FOUND) {
                return Written.STALE;
            }
            throw e;
        }
    }
}

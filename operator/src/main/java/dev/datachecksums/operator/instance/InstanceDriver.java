package dev.datachecksums.operator.instance;

import dev.datachecksums.api.v1alpha1.InstanceRef;
import dev.datachecksums.operator.observe.Fact;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What runs an instance, and how it is held, stopped and started again. Every act names the pod by uid, may be repeated
 * at any time, and is bounded in time; io.fabric8.kubernetes.client.KubernetesClientException is thrown when the API
 * server does not answer or refuses, and then nothing is known about whether the act took place.
 */
public interface InstanceDriver {

    /**
     * Our finalizer on a pod: as long as it is there, no controller can make the next pod of that name. That keeps a StatefulSet
     * waiting, whose pods have fixed names, and no Deployment ({@link WorkloadFacts#holdable}).
     */
    String HOLD = "datachecksums.dev/hold";

    /** No such workload. */
    String WORKLOAD_NOT_FOUND = "WorkloadNotFound";
    /** A kind that no driver knows. */
    String WORKLOAD_UNKNOWN = "WorkloadUnknown";

    /**
     * Looks at the workload, from the API server and not from a cache.
     *
     * @param directories the server's word; empty while it cannot be asked, and then no volumes are reported
     * @return missing with reason {@link #WORKLOAD_NOT_FOUND}, {@link #WORKLOAD_UNKNOWN}, {@code Forbidden} or
     *     {@code ApiUnavailable}
     */
    Fact<WorkloadFacts> observe(String namespace, InstanceRef ref, Optional<Directories> directories);

    /**
     * Looks once more, just before the stop: is it still that pod, not marked for deletion, would its deletion roll
     * nothing out, does no other pod use its claims, and does no budget forbid it?
     *
     * @param claims the PersistentVolumeClaims that hold the server's files
     * @return why not, in words
     */
    Optional<String> recheck(String namespace, InstanceRef ref, String pod, String podUid, List<String> claims);

    /** Puts our hold on the pod. STALE if it is marked for deletion: then it cannot be held any more. */
    Acted hold(String namespace, String pod, String uid);

    /**
     * Deletes the pod, with a longer grace than its own where that is safe, so that a slow shutdown is not cut short.
     * DONE once the deletion has begun; GONE if there is no such pod.
     *
     * @param maxOutage the grace is not stretched beyond it
     */
    Acted stop(String namespace, String pod, String uid, Duration maxOutage);

    /** Takes our hold off the pod, and only ours. DONE if the pod or the hold has gone already. */
    Acted release(String namespace, String pod, String uid);

    /** Deletes the pod with its own grace, so that the next one starts without back-off. */
    Acted restart(String namespace, String pod, String uid);
}

package dev.datachecksums.operator.instance;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Preconditions;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds, deletes and releases one pod. Each write is guarded by the uid on the server's side. */
final class PodActs {

    /** A pod's status is written by the kubelet all the time; a lost race is tried again at once, but not for ever. */
    private static final int TRIES = 8;

    private static final long DEFAULT_GRACE = 30;
    /** After a CHECKPOINT a shutdown takes seconds; 4.6 s were measured with 3 GB dirty. */
    private static final Duration LONGEST_SHUTDOWN = Duration.ofMinutes(5);

    private static final int UNPROCESSABLE = 422;
    private static final PatchContext JSON_PATCH = PatchContext.of(PatchType.JSON);

    private final KubernetesClient client;

    PodActs(KubernetesClient client) {
        this.client = client;
    }

    Acted hold(String namespace, String name, String uid) {
        for (int i = 0; i < TRIES; i++) {
            Pod pod = get(namespace, name);
            if (pod == null || !is(pod, uid)) {
                return Acted.GONE;
            }
            if (holdIndex(pod) >= 0) {
                return Acted.DONE;
            }
            if (pod.getMetadata().getDeletionTimestamp() != null) {
                // the API server takes no new finalizer then
                return Acted.STALE;
            }
            String add = finalizers(pod).isEmpty()
                    ? "{\"op\":\"add\",\"path\":\"/metadata/finalizers\",\"value\":[\"" + InstanceDriver.HOLD + "\"]}"
                    : "{\"op\":\"add\",\"path\":\"/metadata/finalizers/-\",\"value\":\"" + InstanceDriver.HOLD + "\"}";
            if (patch(namespace, name, guarded(pod, add))) {
                return Acted.DONE;
            }
        }
        return Acted.STALE;
    }

    Acted release(String namespace, String name, String uid) {
        for (int i = 0; i < TRIES; i++) {
            Pod pod = get(namespace, name);
            if (pod == null || !is(pod, uid)) {
                return Acted.DONE;
            }
            int at = holdIndex(pod);
            if (at < 0) {
                return Acted.DONE;
            }
            String path = "/metadata/finalizers/" + at;
            String remove = "{\"op\":\"test\",\"path\":\"" + path + "\",\"value\":\"" + InstanceDriver.HOLD
                    + "\"},{\"op\":\"remove\",\"path\":\"" + path + "\"}";
            // No guard on resourceVersion: the index is tested, and nothing but a change of the finalizers matters.
            if (patch(namespace, name, "[" + testUid(uid) + "," + remove + "]")) {
                return Acted.DONE;
            }
        }
        return Acted.STALE;
    }

    Acted stop(String namespace, String name, String uid, Duration maxOutage) {
        Pod pod = get(namespace, name);
        if (pod == null || !is(pod, uid)) {
            return Acted.GONE;
        }
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return Acted.DONE;
        }
        return delete(namespace, name, uid, grace(pod, maxOutage));
    }

    /**
     * In seconds. The kubelet goes by the grace that the deletion began with, and takes no shorter one later (tried on
     * 1.34: it stops all containers of a pod in one call, which is not interrupted). So a container that is deaf to
     * signals keeps the pod, and the outage, for all of it. Where the server is alone, it is the fast shutdown by SQL
     * that ends it, and it may have time; of other containers nothing is known, and the pod's own grace has to do. A
     * server that is killed in its shutdown costs the try and a recovery, nothing else.
     */
    private static long grace(Pod pod, Duration maxOutage) {
        Duration stretched = maxOutage.compareTo(LONGEST_SHUTDOWN) < 0 ? maxOutage : LONGEST_SHUTDOWN;
        return isAlone(pod) ? Math.max(ownGrace(pod), stretched.toSeconds()) : ownGrace(pod);
    }

    private static boolean isAlone(Pod pod) {
        List<Container> init = pod.getSpec().getInitContainers();
        boolean nativeSidecar = init != null && init.stream().anyMatch(c -> "Always".equals(c.getRestartPolicy()));
        return pod.getSpec().getContainers().size() == 1 && !nativeSidecar;
    }

    /** In seconds, never 0: that would remove the object while its containers still run. */
    private static long ownGrace(Pod pod) {
        Long own = pod.getSpec().getTerminationGracePeriodSeconds();
        return own == null ? DEFAULT_GRACE : Math.max(1, own);
    }

    Acted restart(String namespace, String name, String uid) {
        return delete(namespace, name, uid, null);
    }

    private Acted delete(String namespace, String name, String uid, @Nullable Long graceSeconds) {
        DeleteOptions options = new DeleteOptions();
        options.setPreconditions(new Preconditions(null, uid));
        options.setGracePeriodSeconds(graceSeconds);
        try {
            // The client's own delete() knows no precondition on the uid.
            client.raw("/api/v1/namespaces/" + namespace + "/pods/" + name, "DELETE", options);
            return Acted.DONE;
        } catch (KubernetesClientException e) {
            // 409: the precondition failed, so the name belongs to another pod now
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND || e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return Acted.GONE;
            }
            throw e;
        }
    }

    private @Nullable Pod get(String namespace, String name) {
        return client.pods().inNamespace(namespace).withName(name).get();
    }

    /** Sends a JSON patch; false if its tests failed or it lost a race, so that the pod has to be read again. */
    private boolean patch(String namespace, String name, String operations) {
        try {
            client.pods().inNamespace(namespace).withName(name).patch(JSON_PATCH, operations);
            return true;
        } catch (KubernetesClientException e) {
            int code = e.getCode();
            if (code == HttpURLConnection.HTTP_CONFLICT
                    || code == UNPROCESSABLE
                    || code == HttpURLConnection.HTTP_NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    private static String guarded(Pod pod, String operation) {
        return "[" + testUid(pod.getMetadata().getUid())
                + ",{\"op\":\"test\",\"path\":\"/metadata/resourceVersion\",\"value\":\""
                + pod.getMetadata().getResourceVersion() + "\"}," + operation + "]";
    }

    private static String testUid(String uid) {
        return "{\"op\":\"test\",\"path\":\"/metadata/uid\",\"value\":\"" + uid + "\"}";
    }

    private static boolean is(Pod pod, String uid) {
        return uid.equals(pod.getMetadata().getUid());
    }

    private static int holdIndex(Pod pod) {
        return finalizers(pod).indexOf(InstanceDriver.HOLD);
    }

    private static List<String> finalizers(Pod pod) {
        List<String> list = pod.getMetadata().getFinalizers();
        return list == null ? List.of() : list;
    }
}

package dev.datachecksums.operator.instance;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.function.Predicate;

/** The end of a container's log. */
final class ContainerLog {

    private static final int LINES = 50;
    private static final int BYTES = 1 << 16;

    private final KubernetesClient client;

    ContainerLog(KubernetesClient client) {
        this.client = client;
    }

    /** Whether the last lines of the container, or of its instance before this one, say that. */
    boolean says(String namespace, String pod, String container, Predicate<String> what) {
        return what.test(tail(namespace, pod, container, false)) || what.test(tail(namespace, pod, container, true));
    }

    /**
     * By the raw path: the client's own getLog() first waits until the pod is ready, which this one never is.
     *
     * @return empty if there is no such log (yet, or any more)
     */
    private String tail(String namespace, String pod, String container, boolean previous) {
        try {
            String text = client.raw(
                    "/api/v1/namespaces/" + namespace + "/pods/" + pod + "/log?container=" + container + "&tailLines="
                            + LINES + "&limitBytes=" + BYTES + "&previous=" + previous,
                    "GET",
                    null);
            return text == null ? "" : text;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_BAD_REQUEST || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return "";
            }
            throw e;
        }
    }
}

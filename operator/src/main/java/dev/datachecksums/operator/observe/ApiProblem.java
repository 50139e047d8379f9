package dev.datachecksums.operator.observe;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import java.net.HttpURLConnection;
import java.time.Duration;

/** Calls to the Kubernetes API: how long they may take, and what a failed one means. Judged by HTTP code, never by text. */
public final class ApiProblem {

    /** The operator lacks a verb. */
    public static final String FORBIDDEN = "Forbidden";
    /** The API server is down, overloaded, or did not answer in time; nothing is known. */
    public static final String UNAVAILABLE = "ApiUnavailable";
    /** Any other refusal. */
    public static final String REFUSED = "ApiRefused";

    /** The API server's word for it. */
    private static final String TERMINATING = "NamespaceTerminating";

    /** No single call may hold a reconcile for longer. */
    public static final Duration TIMEOUT = Duration.ofSeconds(5);

    private ApiProblem() {}

    /**
     * The same client with {@link #TIMEOUT} and without retries of its own (its default is ten, with a growing wait):
     * the reconcile is what tries again. Closing the result closes the original.
     */
    public static KubernetesClient bounded(KubernetesClient client) {
        return client.newClient(new RequestConfigBuilder()
                        .withRequestTimeout(Math.toIntExact(TIMEOUT.toMillis()))
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .adapt(KubernetesClient.class);
    }

    /**
     * Why something could not be read.
     *
     * @param verb such as {@code list}
     * @param resource such as {@code pods}, {@code pods/log}
     */
    public static <T> Fact<T> missing(KubernetesClientException e, String verb, String resource, String namespace) {
        String call = verb + " " + resource + " in namespace " + namespace;
        return switch (kind(e)) {
            case FORBIDDEN ->
                Fact.missing(
                        FORBIDDEN,
                        "the operator may not " + call,
                        "grant its ServiceAccount the verb " + verb + " on " + resource);
            case UNAVAILABLE ->
                Fact.missing(
                        UNAVAILABLE,
                        "the Kubernetes API did not answer " + call + " (" + answer(e) + ")",
                        "nothing: it is tried again");
            default ->
                Fact.missing(
                        REFUSED,
                        "the Kubernetes API refused " + call + " (" + answer(e) + ")",
                        "see the operator's log; it is tried again");
        };
    }

    /** {@link #FORBIDDEN}, {@link #UNAVAILABLE} or {@link #REFUSED}. */
    public static String kind(KubernetesClientException e) {
        int code = e.getCode();
        if (code == 401 || code == 403) {
            return FORBIDDEN;
        }
        // none: no answer at all, such as a refused connection or a time-out
        return code <= 0 || code == 408 || code == 429 || code >= 500 ? UNAVAILABLE : REFUSED;
    }

    /** Whether nothing can be made in that namespace any more, because it is being deleted. */
    public static boolean namespaceGoes(KubernetesClientException e) {
        Status status = e.getStatus();
        return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                && status != null
                && status.getDetails() != null
                && status.getDetails().getCauses() != null
                && status.getDetails().getCauses().stream().anyMatch(c -> TERMINATING.equals(c.getReason()));
    }

    private static String answer(KubernetesClientException e) {
        return e.getCode() <= 0 ? "no answer" : "HTTP " + e.getCode();
    }
}

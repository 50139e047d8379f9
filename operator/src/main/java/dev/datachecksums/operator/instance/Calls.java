package dev.datachecksums.operator.instance;

import dev.datachecksums.operator.observe.ApiProblem;
import dev.datachecksums.operator.observe.Fact;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.function.Supplier;

/** Calls of the API about one namespace: one that fails says what was asked, for the message. */
final class Calls {

    private final String namespace;

    Calls(String namespace) {
        this.namespace = namespace;
    }

    String namespace() {
        return namespace;
    }

    /**
     * Makes a call.
     *
     * @param verb such as {@code list}
     * @param resource such as {@code pods}, {@code statefulsets.apps}
     * @throws Unanswered if the API refuses, or does not answer
     */
    <T> T ask(String verb, String resource, Supplier<T> call) {
        try {
            return call.get();
        } catch (KubernetesClientException e) {
            throw new Unanswered(e, verb, resource, namespace);
        }
    }

    /** A call that the API refused or did not answer. */
    static final class Unanswered extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient KubernetesClientException cause;
        private final String verb;
        private final String resource;
        private final String namespace;

        private Unanswered(KubernetesClientException cause, String verb, String resource, String namespace) {
            super(cause);
            this.cause = cause;
            this.verb = verb;
            this.resource = resource;
            this.namespace = namespace;
        }

        /** Why something could not be read. */
        <T> Fact<T> missing() {
            return ApiProblem.missing(cause, verb, resource, namespace);
        }
    }
}

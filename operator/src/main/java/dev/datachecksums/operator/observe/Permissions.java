package dev.datachecksums.operator.observe;

import dev.datachecksums.operator.instance.WorkloadFacts;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Asks the API server which verbs of the offline road the operator lacks in a namespace, before anything is begun. */
final class Permissions {

    /** A Role does not change often; a person who has just granted a verb waits no longer than this. */
    private static final Duration REMEMBERED = Duration.ofSeconds(30);

    private static final List<Need> NEEDS = List.of(
            new Need("", "pods", "", "get"),
            new Need("", "pods", "", "list"),
            new Need("", "pods", "", "patch"),
            new Need("", "pods", "", "delete"),
            new Need("", "pods", "log", "get"),
            new Need("batch", "jobs", "", "create"),
            new Need("batch", "jobs", "", "list"),
            new Need("batch", "jobs", "", "delete"),
            new Need("policy", "poddisruptionbudgets", "", "list"));

    /** What is read besides, by the kind of the workload. */
    private static final Map<String, List<Need>> BY_KIND = Map.of(
            "StatefulSet",
            List.of(new Need("apps", "statefulsets", "", "get")),
            WorkloadFacts.DEPLOYMENT,
            List.of(new Need("apps", "deployments", "", "get"), new Need("apps", "replicasets", "", "list")));

    private final KubernetesClient client;
    private final Clock clock;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    Permissions(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /** The verbs that are lacking for a workload of that kind, such as {@code delete pods}. Empty also where nobody could be asked: the call itself will say so. */
    List<String> missing(String namespace, String kind) {
        Instant now = clock.instant();
        String key = namespace + "/" + kind;
        Answer known = answers.get(key);
        if (known != null && now.isBefore(known.at().plus(REMEMBERED))) {
            return known.missing();
        }
        try {
            List<String> missing = Stream.concat(NEEDS.stream(), BY_KIND.getOrDefault(kind, List.of()).stream())
                    .filter(n -> !allowed(n, namespace))
                    .map(Need::words)
                    .toList();
            answers.put(key, new Answer(now, missing));
            return missing;
        } catch (KubernetesClientException e) {
            return List.of();
        }
    }

    private boolean allowed(Need n, String namespace) {
        SelfSubjectAccessReview review = client.authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(new SelfSubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withNewResourceAttributes()
                        .withNamespace(namespace)
                        .withGroup(n.group())
                        .withResource(n.resource())
                        .withSubresource(n.subresource())
                        .withVerb(n.verb())
                        .endResourceAttributes()
                        .endSpec()
                        .build());
        return review.getStatus() == null
                || Boolean.TRUE.equals(review.getStatus().getAllowed());
    }

    private record Need(String group, String resource, String subresource, String verb) {
        String words() {
            return verb + " " + resource + (subresource.isEmpty() ? "" : "/" + subresource);
        }
    }

    private record Answer(Instant at, List<String> missing) {}
}

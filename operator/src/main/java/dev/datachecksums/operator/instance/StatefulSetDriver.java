package dev.datachecksums.operator.instance;

import dev.datachecksums.api.v1alpha1.InstanceRef;
import dev.datachecksums.operator.instance.WorkloadFacts.DataVolume;
import dev.datachecksums.operator.instance.WorkloadFacts.Node;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.observe.ApiProblem;
import dev.datachecksums.operator.observe.Fact;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A StatefulSet of apps/v1; of several pods each is a node with data of its own. It reads by plain GETs and
 * LISTs of one namespace: informers on every pod of a cluster would cost more memory than the rest of the operator.
 */
public final class StatefulSetDriver implements InstanceDriver {

    private final KubernetesClient client;
    private final PodActs acts;
    private final ContainerLog log;
    private final String ownLabel;
    private final String interlock;

    /**
     * Uses the client, with a time-out of its own on every call.
     *
     * @param ownLabel the label that our Jobs' pods carry: they are no strangers on the claim
     * @param interlock name of the parameter that a server names in its log when it refuses to start because of us
     */
    public StatefulSetDriver(KubernetesClient client, String ownLabel, String interlock) {
        this.client = ApiProblem.bounded(client);
        this.acts = new PodActs(this.client);
        this.log = new ContainerLog(this.client);
        this.ownLabel = ownLabel;
        this.interlock = interlock;
    }

    @Override
    public Fact<WorkloadFacts> observe(String namespace, InstanceRef ref, Optional<Directories> directories) {
        if (!"StatefulSet".equals(ref.kind()) || !"apps/v1".equals(ref.apiVersion())) {
            return Fact.missing(
                    WORKLOAD_UNKNOWN,
                    "instanceRef names a " + ref.kind() + " of " + ref.apiVersion()
                            + ", which this operator does not know how to stop and start",
                    "name the StatefulSet of apps/v1 that runs the server");
        }
        Call call = Call.GET_SET;
        try {
            StatefulSet set = set(namespace, ref);
            if (set == null) {
                return Fact.missing(
                        WORKLOAD_NOT_FOUND,
                        "there is no StatefulSet " + ref.name() + " in namespace " + namespace,
                        "create it, or correct instanceRef.name");
            }
            call = Call.LIST_PODS;
            List<Pod> pods = client.pods().inNamespace(namespace).list().getItems();
            call = Call.LIST_BUDGETS;
            List<PodDisruptionBudget> budgets = budgets(namespace);
            call = Call.GET_LOG;
            return Fact.known(describe(set, ref, directories, pods, budgets));
        } catch (KubernetesClientException e) {
            return ApiProblem.missing(e, call.verb, call.resource, namespace);
        }
    }

    private WorkloadFacts describe(
            StatefulSet set,
            InstanceRef ref,
            Optional<Directories> directories,
            List<Pod> pods,
            List<PodDisruptionBudget> budgets) {
        int replicas = set.getSpec().getReplicas() == null ? 1 : set.getSpec().getReplicas();
        int start = Rollout.start(set);
        WorkloadFacts first = describe(set, start, replicas, ref, directories, pods, budgets);
        List<Node> nodes = new ArrayList<>();
        // One that was scaled away is a node for as long as its pod is there: it may be held.
        IntStream.concat(
                        IntStream.range(start, start + replicas),
                        pods.stream()
                                .filter(p -> controls(set, p))
                                .flatMapToInt(p -> Rollout.ordinal(p).stream().mapToInt(n -> n)))
                .sorted()
                .distinct()
                .forEach(n -> nodes.add(new Node(
                        name(set, n),
                        n == start ? first : describe(set, n, replicas, ref, directories, pods, budgets),
                        Fact.missing("NotAsked", "the server was not asked", "none is needed"),
                        Managers.of(set))));
        return first.among(nodes);
    }

    private WorkloadFacts describe(
            StatefulSet set,
            int ordinal,
            int replicas,
            InstanceRef ref,
            Optional<Directories> directories,
            List<Pod> pods,
            List<PodDisruptionBudget> budgets) {
        Pod pod = pods.stream().filter(p -> is(set, ordinal, p)).findFirst().orElse(null);
        if (pod == null) {
            return WorkloadFacts.withoutPod(ref.kind(), ref.name(), replicas);
        }
        Optional<Container> container = container(pod, ref, directories);
        Optional<String> unknown = Optional.ofNullable(ref.container()).filter(c -> container.isEmpty());
        List<DataVolume> volumes = container
                .flatMap(c -> directories.map(d -> Volumes.of(pod, c, d)))
                .orElse(List.of());
        List<String> claims = volumes.stream().flatMap(v -> v.claim().stream()).toList();
        PodFacts facts = PodReader.read(pod, container.map(Container::getName));
        return new WorkloadFacts(
                ref.kind(),
                ref.name(),
                replicas,
                Optional.of(facts),
                Rollout.pending(set, pod),
                Budgets.against(pod, budgets),
                container.map(Container::getName),
                unknown,
                volumes,
                Volumes.otherPods(pods, pod, claims, ownLabel),
                onePodClaims(set, pod, claims),
                container.isPresent() && interlocked(facts, container.get().getName()));
    }

    /** By the set's own templates: the claims themselves need not be read for it. */
    private static List<String> onePodClaims(StatefulSet set, Pod pod, List<String> claims) {
        return set.getSpec().getVolumeClaimTemplates().stream()
                .filter(t -> t.getSpec().getAccessModes() != null
                        && t.getSpec().getAccessModes().contains("ReadWriteOncePod"))
                .map(t -> t.getMetadata().getName() + "-" + pod.getMetadata().getName())
                .filter(claims::contains)
                .toList();
    }

    private static Optional<Container> container(Pod pod, InstanceRef ref, Optional<Directories> directories) {
        return ref.container() == null
                ? Volumes.container(pod, directories.map(Directories::data))
                : pod.getSpec().getContainers().stream()
                        .filter(c -> c.getName().equals(ref.container()))
                        .findFirst();
    }

    /** Asked only of a server that does not come up: a log read at every look would be a waste. */
    private boolean interlocked(PodFacts pod, String container) {
        return !pod.ready()
                && PodReader.restarted(pod, container)
                && log.mentions(pod.raw().getMetadata().getNamespace(), pod.name(), container, interlock);
    }

    @Override
    public Optional<String> recheck(String namespace, InstanceRef ref, String name, String podUid) {
        Call call = Call.GET_SET;
        try {
            StatefulSet set = set(namespace, ref);
            if (set == null) {
                return Optional.of("StatefulSet " + ref.name() + " has gone");
            }
            call = Call.GET_POD;
            Pod pod = client.pods().inNamespace(namespace).withName(name).get();
            if (pod == null
                    || !controls(set, pod)
                    || !podUid.equals(pod.getMetadata().getUid())) {
                return Optional.of("pod " + name + " was replaced meanwhile");
            }
            if (pod.getMetadata().getDeletionTimestamp() != null) {
                return Optional.of("somebody else is deleting pod " + name);
            }
            Optional<String> rollout = Rollout.pending(set, pod);
            if (rollout.isPresent()) {
                return rollout;
            }
            call = Call.LIST_BUDGETS;
            List<String> against = Budgets.against(pod, budgets(namespace));
            return against.isEmpty()
                    ? Optional.empty()
                    : Optional.of("PodDisruptionBudget " + String.join(", ", against) + " allows no disruption now");
        } catch (KubernetesClientException e) {
            // unknown is no
            return Optional.of(
                    ((Fact.Missing<?>) ApiProblem.missing(e, call.verb, call.resource, namespace)).message());
        }
    }

    @Override
    public Acted hold(String namespace, String pod, String uid) {
        return acts.hold(namespace, pod, uid);
    }

    @Override
    public Acted stop(String namespace, String pod, String uid, Duration maxOutage) {
        return acts.stop(namespace, pod, uid, maxOutage);
    }

    @Override
    public Acted release(String namespace, String pod, String uid) {
        return acts.release(namespace, pod, uid);
    }

    @Override
    public Acted restart(String namespace, String pod, String uid) {
        return acts.restart(namespace, pod, uid);
    }

    private @Nullable StatefulSet set(String namespace, InstanceRef ref) {
        return client.apps()
                .statefulSets()
                .inNamespace(namespace)
                .withName(ref.name())
                .get();
    }

    private List<PodDisruptionBudget> budgets(String namespace) {
        return client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    private static String name(StatefulSet set, int ordinal) {
        return set.getMetadata().getName() + "-" + ordinal;
    }

    private static boolean is(StatefulSet set, int ordinal, Pod pod) {
        return name(set, ordinal).equals(pod.getMetadata().getName()) && controls(set, pod);
    }

    private static boolean controls(StatefulSet set, Pod pod) {
        return pod.getMetadata().getOwnerReferences() != null
                && pod.getMetadata().getOwnerReferences().stream()
                        .anyMatch(o -> Boolean.TRUE.equals(o.getController())
                                && Objects.equals(o.getUid(), set.getMetadata().getUid()));
    }

    /** What is asked, for the message when it is refused. */
    private enum Call {
        GET_SET("get", "statefulsets.apps"),
        GET_POD("get", "pods"),
        LIST_PODS("list", "pods"),
        LIST_BUDGETS("list", "poddisruptionbudgets.policy"),
        GET_LOG("get", "pods/log");

        private final String verb;
        private final String resource;

        Call(String verb, String resource) {
            this.verb = verb;
            this.resource = resource;
        }
    }
}

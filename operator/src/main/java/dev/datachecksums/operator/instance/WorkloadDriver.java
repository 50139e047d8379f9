package dev.datachecksums.operator.instance;

import dev.datachecksums.api.v1alpha1.InstanceRef;
import dev.datachecksums.operator.observe.ApiProblem;
import dev.datachecksums.operator.observe.Fact;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The workloads of apps/v1 whose pods a controller makes again: a StatefulSet, or a Deployment. It reads by plain GETs and
 * LISTs of one namespace: informers on every pod of a cluster would cost more memory than the rest of the operator.
 */
public final class WorkloadDriver implements InstanceDriver {

    private static final String API_VERSION = "apps/v1";

    private final KubernetesClient client;
    private final List<WorkloadKind> kinds;
    private final PodActs acts;
    private final ContainerLog log;
    private final String ownLabel;
    private final Predicate<String> interlock;

    /**
     * Uses the client, with a time-out of its own on every call.
     *
     * @param ownLabel the label that our Jobs' pods carry: they are no strangers on the claim
     * @param interlock whether the log of a server says that it refuses to start because of us
     */
    public WorkloadDriver(KubernetesClient client, String ownLabel, Predicate<String> interlock) {
        this.client = ApiProblem.bounded(client);
        this.kinds = List.of(new StatefulSets(this.client), new Deployments(this.client));
        this.acts = new PodActs(this.client);
        this.log = new ContainerLog(this.client);
        this.ownLabel = ownLabel;
        this.interlock = interlock;
    }

    @Override
    public Fact<WorkloadFacts> observe(String namespace, InstanceRef ref, Optional<Directories> directories) {
        Optional<WorkloadKind> kind = kind(ref);
        if (kind.isEmpty()) {
            return Fact.missing(
                    WORKLOAD_UNKNOWN,
                    "instanceRef names a " + ref.kind() + " of " + ref.apiVersion()
                            + ", which this operator does not know how to stop and start",
                    "name the "
                            + kinds.stream().map(WorkloadKind::kind).collect(Collectors.joining(" or the "))
                            + " of apps/v1 that runs the server");
        }
        Calls calls = new Calls(namespace);
        try {
            Optional<Workload> workload = kind.get().find(calls, ref.name());
            if (workload.isEmpty()) {
                return Fact.missing(
                        WORKLOAD_NOT_FOUND,
                        "there is no " + ref.kind() + " " + ref.name() + " in namespace " + namespace,
                        "create it, or correct instanceRef.name");
            }
            List<Pod> pods = pods(calls);
            PodDescriber describer = new PodDescriber(
                    ref,
                    directories,
                    pods,
                    budgets(calls),
                    ownLabel,
                    (pod, container) -> calls.ask(
                            "get",
                            "pods/log",
                            () -> log.says(namespace, pod.getMetadata().getName(), container, interlock)));
            return Fact.known(workload.get().facts(pods, describer));
        } catch (Calls.Unanswered e) {
            return e.missing();
        }
    }

    @Override
    public Optional<String> recheck(
            String namespace, InstanceRef ref, String name, String podUid, List<String> claims) {
        Calls calls = new Calls(namespace);
        try {
            Optional<Workload> workload = kind(ref).flatMap(k -> k.find(calls, ref.name()));
            if (workload.isEmpty()) {
                return Optional.of(ref.kind() + " " + ref.name() + " has gone");
            }
            List<Pod> pods = pods(calls);
            Pod pod = pods.stream()
                    .filter(p -> podUid.equals(p.getMetadata().getUid()))
                    .findFirst()
                    .orElse(null);
            if (pod == null || !workload.get().controls(pod)) {
                return Optional.of("pod " + name + " was replaced meanwhile");
            }
            if (pod.getMetadata().getDeletionTimestamp() != null) {
                return Optional.of("somebody else is deleting pod " + name);
            }
            Optional<String> rollout = workload.get().pending(pod, pods);
            if (rollout.isPresent()) {
                return rollout;
            }
            List<String> others = Volumes.otherPods(pods, pod, claims, ownLabel);
            if (!others.isEmpty()) {
                return Optional.of("other pods have come to use the volume: " + String.join(", ", others));
            }
            List<String> against = Budgets.against(pod, budgets(calls));
            return against.isEmpty()
                    ? Optional.empty()
                    : Optional.of("PodDisruptionBudget " + String.join(", ", against) + " allows no disruption now");
        } catch (Calls.Unanswered e) {
            // unknown is no
            return Optional.of(((Fact.Missing<?>) e.missing()).message());
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

    private Optional<WorkloadKind> kind(InstanceRef ref) {
        return kinds.stream()
                .filter(k -> API_VERSION.equals(ref.apiVersion()) && k.kind().equals(ref.kind()))
                .findFirst();
    }

    private List<Pod> pods(Calls calls) {
        return calls.ask(
                "list",
                "pods",
                () -> client.pods().inNamespace(calls.namespace()).list().getItems());
    }

    private List<PodDisruptionBudget> budgets(Calls calls) {
        return calls.ask(
                "list",
                "poddisruptionbudgets.policy",
                () -> client.policy()
                        .v1()
                        .podDisruptionBudget()
                        .inNamespace(calls.namespace())
                        .list()
                        .getItems());
    }
}

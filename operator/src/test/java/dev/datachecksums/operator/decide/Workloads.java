package dev.datachecksums.operator.decide;

import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.DataVolume;
import dev.datachecksums.operator.instance.WorkloadFacts.Node;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.postgres.ServerFacts;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Builds a workload. By default: a StatefulSet of one ready pod, whose data directory is on a claim. */
public final class Workloads {
    /** Name of the pod. */
    public static final String POD = "orders-db-0";
    /** uid of the pod that a conversion begins with. */
    public static final String POD_UID = "uid-pod-1";

    private String name = POD;
    private List<Node> nodes = List.of();
    private int replicas = 1;
    private boolean pod = true;
    private String uid = POD_UID;
    private boolean ready = true;
    private boolean held;
    private @Nullable Instant deleting;
    private boolean ended;
    private boolean crashing;
    private Instant created = Servers.STARTED;
    private Optional<String> rollout = Optional.empty();
    private List<String> budgets = List.of();
    private Optional<String> container = Optional.of("postgres");
    private Optional<String> unknownContainer = Optional.empty();
    private List<DataVolume> volumes = List.of(volume("data directory", "persistentVolumeClaim", "data-orders-db-0"));
    private String kind = "StatefulSet";
    private List<String> otherPods = List.of();
    private List<String> onePodClaims = List.of();
    private Optional<String> overlap = Optional.empty();
    private boolean interlockInLog;
    private @Nullable String revision;
    private @Nullable Pod raw;

    public Workloads replicas(int n) {
        this.replicas = n;
        return this;
    }

    public Workloads onePodClaims(String... claims) {
        this.onePodClaims = List.of(claims);
        return this;
    }

    /** It is that of another pod. */
    public Workloads named(String podName) {
        this.name = podName;
        return this;
    }

    /** There are several. */
    public Workloads nodes(Node... all) {
        this.nodes = List.of(all);
        return replicas(all.length);
    }

    /** One of several, {@code orders-db-N}. */
    public static Node node(int n, Fact<ServerFacts> server, Consumer<Workloads> change) {
        Workloads w = new Workloads().named("orders-db-" + n).uid("uid-" + n);
        change.accept(w);
        return new Node(w.name, w.build(), server);
    }

    /** One that is well and serves. */
    public static Node node(int n, Consumer<Servers> change) {
        Servers s = new Servers();
        change.accept(s);
        return node(n, Fact.known(s.build()), w -> {});
    }

    public Workloads noPod() {
        this.pod = false;
        return this;
    }

    public Workloads uid(String podUid) {
        this.uid = podUid;
        return this;
    }

    public Workloads notReady() {
        this.ready = false;
        return this;
    }

    /** As that object says. */
    public Workloads raw(Pod object) {
        this.raw = object;
        return this;
    }

    /** Made from that revision of the template. */
    public Workloads revision(String name) {
        this.revision = name;
        return this;
    }

    /** Carries our hold. */
    public Workloads held() {
        this.held = true;
        return this;
    }

    public Workloads deleting(Instant since) {
        this.deleting = since;
        this.ready = false;
        return this;
    }

    public Workloads ended() {
        this.ended = true;
        return this;
    }

    /** Restarted in this pod, and ready again. */
    public Workloads restarted() {
        this.crashing = true;
        return this;
    }

    /** In back-off, or restarted and not ready again. */
    public Workloads crashing() {
        this.crashing = true;
        this.ready = false;
        return this;
    }

    /** The API server writes whole seconds. */
    public Workloads created(Instant t) {
        this.created = t.truncatedTo(ChronoUnit.SECONDS);
        return this;
    }

    public Workloads pendingRollout(String why) {
        this.rollout = Optional.of(why);
        return this;
    }

    public Workloads budgets(String... names) {
        this.budgets = List.of(names);
        return this;
    }

    public Workloads noContainer() {
        this.container = Optional.empty();
        return this;
    }

    public Workloads unknownContainer(String name) {
        this.unknownContainer = Optional.of(name);
        return noContainer();
    }

    public Workloads volumes(DataVolume... all) {
        this.volumes = List.of(all);
        return this;
    }

    public Workloads otherPods(String... names) {
        this.otherPods = List.of(names);
        return this;
    }

    public Workloads interlockInLog() {
        this.interlockInLog = true;
        return this;
    }

    /** A directory on a volume; without a claim it is of that other kind, {@code none} for no volume at all. */
    public static DataVolume volume(String what, String kind, @Nullable String claim) {
        boolean none = kind.equals("none");
        return new DataVolume(
                "/var/lib/postgresql/" + what.replace(' ', '-'),
                what,
                none ? Optional.empty() : Optional.of("data"),
                Optional.ofNullable(claim),
                kind,
                none ? Optional.empty() : Optional.of("/var/lib/postgresql"),
                Optional.empty());
    }

    /** Of another kind than StatefulSet. */
    public Workloads kind(String other) {
        this.kind = other;
        return this;
    }

    /** A rollout would run two servers on one volume. */
    public Workloads rolloutOverlap(String why) {
        this.overlap = Optional.of(why);
        return this;
    }

    /** The facts. */
    public WorkloadFacts build() {
        PodFacts facts = new PodFacts(
                name,
                uid,
                Optional.of("10.0.0.7"),
                Optional.of("node-1"),
                ready,
                held,
                Optional.ofNullable(deleting),
                ended,
                crashing,
                raw != null
                        ? raw
                        : new PodBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .withUid(uid)
                                .withCreationTimestamp(created.toString())
                                .withLabels(revision == null ? Map.of() : Map.of("controller-revision-hash", revision))
                                .endMetadata()
                                .build());
        WorkloadFacts built = new WorkloadFacts(
                kind,
                "orders-db",
                replicas,
                pod ? Optional.of(facts) : Optional.empty(),
                rollout,
                budgets,
                container,
                unknownContainer,
                volumes,
                otherPods,
                onePodClaims,
                interlockInLog,
                overlap,
                List.of());
        return nodes.isEmpty() ? built : built.among(nodes);
    }
}

package dev.datachecksums.operator.observe;

import dev.datachecksums.api.v1alpha1.ConnectionSpec;
import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DataChecksumsSpec;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.api.v1alpha1.ServerStatus;
import dev.datachecksums.operator.instance.Directories;
import dev.datachecksums.operator.instance.InstanceDriver;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.Node;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.offline.JobSpec;
import dev.datachecksums.operator.offline.RememberedJobs;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.PostgresServer;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.ServerTarget;
import dev.datachecksums.operator.postgres.Timeouts;
import dev.datachecksums.operator.postgres.standby.StandbyFacts;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Gathers one observation. Every call is bounded; what cannot be seen is missing, with the reason. */
public final class Observer {

    private static final String ANNOTATIONS = "datachecksums.dev/";

    private final InstanceDriver driver;
    private final PostgresServer postgres;
    private final RememberedJobs jobs;
    private final Function<String, SessionFacts> sessions;
    private final OnlineWatch watch;
    private final StandbyWatch standbyWatch;
    private final Targets targets;
    private final Permissions permissions;
    private final Clock clock;

    /** With the sources that it looks at; sessions are those held by this process, by uid of the resource. */
    public Observer(
            KubernetesClient client,
            InstanceDriver driver,
            PostgresServer postgres,
            RememberedJobs jobs,
            Function<String, SessionFacts> sessions,
            OnlineWatch watch,
            StandbyWatch standbyWatch,
            ExternalHosts external,
            Timeouts timeouts,
            Clock clock) {
        this.driver = driver;
        this.postgres = postgres;
        this.jobs = jobs;
        this.sessions = sessions;
        this.watch = watch;
        this.standbyWatch = standbyWatch;
        Hosts hosts = new Hosts(
                (namespace, name) ->
                        client.services().inNamespace(namespace).withName(name).get(),
                external);
        this.targets = new Targets(client, hosts, timeouts);
        this.permissions = new Permissions(client, clock);
        this.clock = clock;
    }

    /**
     * Looks at everything that a decision about this resource may rest on.
     *
     * @param others all resources that the operator knows, for conflicts
     */
    public Observation observe(DataChecksums d, Stream<DataChecksums> others) {
        ObjectMeta meta = d.getMetadata();
        DataChecksumsSpec spec = d.getSpec();
        DataChecksumsStatus status = d.getStatus() == null ? DataChecksumsStatus.EMPTY : d.getStatus();
        Optional<ConversionStatus> conversion = Optional.ofNullable(status.conversion());

        // While the server cannot be asked, its last word on where its files are still tells which container it is.
        Fact<WorkloadFacts> workload = workload(meta.getNamespace(), spec, lastKnown(status));
        Optional<List<Node>> several =
                workload.seen().filter(w -> several(w, conversion)).map(WorkloadFacts::nodes);
        Fact<ServerFacts> server;
        if (several.isPresent()) {
            List<Node> nodes = nodes(meta.getNamespace(), spec, conversion, several.get());
            Node focus = focus(nodes, spec, conversion, workload.seen().orElseThrow());
            workload = Fact.known(focus.alone().among(nodes));
            server = focus.server();
        } else {
            server = server(meta.getNamespace(), spec, conversion, workload);
            if (wantsConversion(spec, server)) {
                // The volumes can be told only once the server has said where its directories are.
                workload = workload(meta.getNamespace(), spec, server.seen().flatMap(Observer::directories));
            }
        }
        boolean asks = spec.instanceRef() != null && wantsConversion(spec, server);
        return new Observation(
                clock.instant(),
                new Observation.Resource(
                        meta.getNamespace(),
                        meta.getName(),
                        meta.getUid(),
                        meta.getGeneration() == null ? 0 : meta.getGeneration(),
                        Instant.parse(meta.getCreationTimestamp()),
                        meta.getDeletionTimestamp() != null,
                        meta.getFinalizers() != null && meta.getFinalizers().contains(Observation.FINALIZER),
                        ours(meta)),
                spec,
                status,
                server,
                workload,
                jobs.of(new JobSpec.Owner(meta.getNamespace(), meta.getName(), meta.getUid()), conversion),
                sessions.apply(meta.getUid()),
                Conflicts.of(d, server, others),
                asks ? permissions.missing(meta.getNamespace()) : List.of(),
                online(meta, spec, status, server, workload),
                standby(meta, spec, status, server, workload));
    }

    /** Asked of a server that a copy may convert, while it is made or when it is about to be. */
    private Fact<StandbyFacts> standby(
            ObjectMeta meta,
            DataChecksumsSpec spec,
            DataChecksumsStatus status,
            Fact<ServerFacts> server,
            Fact<WorkloadFacts> workload) {
        boolean due = spec.instanceRef() != null
                && server.seen()
                        .filter(s -> StandbyWatch.due(spec, status.conversion(), s))
                        .isPresent();
        Optional<ServerTarget> target = due
                ? targets.of(
                                meta.getNamespace(),
                                connection(spec, workload),
                                workload.seen().flatMap(WorkloadFacts::pod))
                        .seen()
                : Optional.empty();
        return target.map(t -> standbyWatch.look(meta.getUid(), t))
                .orElseGet(() -> Fact.missing(Observation.NOT_ASKED, "the server was not asked", "none is needed"));
    }

    private static Map<String, String> ours(ObjectMeta meta) {
        Map<String, String> ours = new HashMap<>();
        if (meta.getAnnotations() != null) {
            meta.getAnnotations().forEach((k, v) -> {
                if (k.startsWith(ANNOTATIONS)) {
                    ours.put(k, v);
                }
            });
        }
        return ours;
    }

    /** Asked of a server that can convert online, while it does or when it is about to. */
    private Fact<OnlineView> online(
            ObjectMeta meta,
            DataChecksumsSpec spec,
            DataChecksumsStatus status,
            Fact<ServerFacts> server,
            Fact<WorkloadFacts> workload) {
        ConversionStatus c = status.conversion();
        boolean runs = c != null && c.method() == ConversionMethod.ONLINE;
        boolean due =
                c == null && wantsConversion(spec, server) && spec.policy().method() != Method.OFFLINE;
        boolean can = server.seen()
                .filter(s -> s.onlineFunctions()
                        && s.superuser()
                        && !s.inRecovery()
                        && s.forkName().isEmpty()
                        && s.poolerEvidence().isEmpty())
                .isPresent();
        Optional<ServerTarget> target = can && (runs || due)
                ? targets.of(
                                meta.getNamespace(),
                                connection(spec, workload),
                                workload.seen().flatMap(WorkloadFacts::pod))
                        .seen()
                : Optional.empty();
        return target.map(t -> watch.look(meta.getUid(), t, status))
                .orElseGet(() -> Fact.missing(Observation.NOT_ASKED, "the server was not asked", "none is needed"));
    }

    /** The way to the server, for what has to be told to it. */
    public Fact<ServerTarget> target(Observation o) {
        return targets.of(
                o.resource().namespace(),
                connection(o.spec(), o.workload()),
                o.workload().seen().flatMap(WorkloadFacts::pod));
    }

    private static ConnectionSpec connection(DataChecksumsSpec spec, Fact<WorkloadFacts> workload) {
        return workload.seen().filter(WorkloadFacts::several).isPresent()
                ? spec.connection().withoutHost()
                : spec.connection();
    }

    /** Or one, and a conversion of another that was scaled away meanwhile. */
    private static boolean several(WorkloadFacts w, Optional<ConversionStatus> conversion) {
        return w.several()
                || conversion
                        .map(ConversionStatus::pod)
                        .filter(pod -> !w.nodes().isEmpty()
                                && w.nodes().stream().noneMatch(n -> n.name().equals(pod)))
                        .isPresent();
    }

    /** Each with its server's word, asked at its own address. */
    private List<Node> nodes(
            String namespace, DataChecksumsSpec spec, Optional<ConversionStatus> conversion, List<Node> nodes) {
        List<Node> asked = nodes.stream()
                .map(n -> n.saying(server(
                        namespace,
                        spec.connection().withoutHost(),
                        conversion.filter(c -> n.name().equals(c.pod())).isPresent(),
                        n.alone().pod())))
                .toList();
        if (asked.stream().noneMatch(n -> wantsConversion(spec, n.server()))) {
            return asked;
        }
        // One template makes all pods: what one server says of its directories holds for all.
        Optional<Directories> directories = asked.stream()
                .flatMap(n -> n.server().seen().stream())
                .flatMap(s -> directories(s).stream())
                .findFirst();
        return workload(namespace, spec, directories)
                .seen()
                .map(w -> w.nodes().stream()
                        .map(n -> asked.stream()
                                .filter(a -> a.name().equals(n.name()) && samePod(a, n))
                                .findFirst()
                                .map(a -> n.saying(a.server()))
                                .orElse(n))
                        .toList())
                .orElse(asked);
    }

    private static boolean samePod(Node a, Node b) {
        return a.alone().pod().map(PodFacts::uid).equals(b.alone().pod().map(PodFacts::uid));
    }

    private static Node focus(
            List<Node> nodes, DataChecksumsSpec spec, Optional<ConversionStatus> conversion, WorkloadFacts w) {
        String name = Focus.of(nodes, conversion.map(ConversionStatus::pod), spec.state());
        return nodes.stream()
                .filter(n -> n.name().equals(name))
                .findFirst()
                .orElseGet(() -> new Node(
                        name,
                        WorkloadFacts.withoutPod(w.kind(), w.name(), w.replicas()),
                        Fact.missing(Observation.STOPPED, "the pod " + name + " was scaled away", "scale it back")));
    }

    private Fact<ServerFacts> server(
            String namespace, ConnectionSpec connection, boolean converting, Optional<PodFacts> pod) {
        if (standsStill(pod)) {
            return converting
                    ? Fact.missing(Observation.STOPPED, "the server is stopped for the conversion", "wait")
                    : Fact.missing("NoAddress", "it has no pod that could be asked now", "wait for the pod");
        }
        return ask(targets.of(namespace, connection, pod));
    }

    private Fact<WorkloadFacts> workload(String namespace, DataChecksumsSpec spec, Optional<Directories> directories) {
        return spec.instanceRef() == null
                ? Fact.missing(Observation.EXTERNAL, "the declaration names no workload", "set spec.instanceRef")
                : driver.observe(namespace, spec.instanceRef(), directories);
    }

    private Fact<ServerFacts> server(
            String namespace,
            DataChecksumsSpec spec,
            Optional<ConversionStatus> conversion,
            Fact<WorkloadFacts> workload) {
        Optional<PodFacts> pod = workload.seen().flatMap(WorkloadFacts::pod);
        if (conversion.isPresent() && workload.seen().isPresent() && standsStill(pod)) {
            return Fact.missing(Observation.STOPPED, "the server is stopped for the conversion", "wait");
        }
        if (workload instanceof Fact.Missing<WorkloadFacts> m
                && spec.connection().host() == null) {
            return Fact.missing(m.reason(), m.message(), m.remedy());
        }
        return ask(targets.of(namespace, spec.connection(), pod));
    }

    private Fact<ServerFacts> ask(Fact<ServerTarget> target) {
        if (target instanceof Fact.Missing<ServerTarget> m) {
            return Fact.missing(m.reason(), m.message(), m.remedy());
        }
        try {
            return Fact.known(postgres.observe(target.seen().orElseThrow()));
        } catch (ServerException e) {
            return Fact.missing(
                    camel(e.kind().name()), String.valueOf(e.getMessage()), "see spec.connection and the server's log");
        }
    }

    /** A connection to a pod that is going or not there yet would only cost its time-out. */
    private static boolean standsStill(Optional<PodFacts> pod) {
        return pod.isEmpty()
                || pod.get().deleting().isPresent()
                || pod.get().ended()
                || pod.get().ip().isEmpty();
    }

    private static boolean wantsConversion(DataChecksumsSpec spec, Fact<ServerFacts> server) {
        ChecksumState wanted = spec.state() == DesiredState.ENABLED ? ChecksumState.ON : ChecksumState.OFF;
        return server.seen().filter(s -> s.checksums() != wanted).isPresent();
    }

    private static Optional<Directories> lastKnown(DataChecksumsStatus status) {
        return Optional.ofNullable(status.server())
                .map(ServerStatus::dataDirectory)
                .map(Directories::of);
    }

    private static Optional<Directories> directories(ServerFacts s) {
        return s.dataDirectory()
                .value()
                .map(data -> new Directories(
                        data,
                        Optional.empty(),
                        s.tablespaces().value().orElse(List.of()).stream()
                                .map(t -> new Directories.Tablespace(t.name(), t.location()))
                                .toList()));
    }

    /** UNREACHABLE -> Unreachable, AUTHENTICATION_FAILED -> AuthenticationFailed: reasons of conditions are CamelCase. */
    static String camel(String constant) {
        StringBuilder b = new StringBuilder();
        for (String word : constant.split("_", -1)) {
            b.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return b.toString();
    }
}

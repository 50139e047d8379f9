package dev.datachecksums.operator.observe;

import dev.datachecksums.api.v1alpha1.ConnectionSpec;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsSpec;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.ServerStatus;
import dev.datachecksums.operator.instance.Directories;
import dev.datachecksums.operator.instance.InstanceDriver;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.Node;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.ServerTarget;
import java.util.List;
import java.util.Optional;

/** One look at the pods of an instance and at what its servers say, and the choice of the node that all is about. */
final class InstanceLook {

    /** How a server is asked for its word on itself. */
    interface Words {
        ServerFacts of(ServerTarget target) throws ServerException;
    }

    /** What was seen: of several nodes, of the one that is looked at. */
    record Seen(Fact<WorkloadFacts> workload, Fact<ServerFacts> server) {}

    private final InstanceDriver driver;
    private final Targets targets;
    private final Words words;

    InstanceLook(InstanceDriver driver, Targets targets, Words words) {
        this.driver = driver;
        this.targets = targets;
        this.words = words;
    }

    /** Looks. */
    Seen look(String namespace, DataChecksumsSpec spec, DataChecksumsStatus status) {
        Optional<ConversionStatus> conversion = Optional.ofNullable(status.conversion());
        // While the server cannot be asked, its last word on where its files are still tells which container it is.
        Fact<WorkloadFacts> workload = workload(namespace, spec, lastKnown(status));
        Optional<List<Node>> several =
                workload.seen().filter(w -> several(w, conversion)).map(WorkloadFacts::nodes);
        if (several.isPresent()) {
            List<Node> nodes = nodes(namespace, spec, conversion, several.get());
            Node focus = focus(nodes, spec, conversion, workload.seen().orElseThrow());
            return new Seen(Fact.known(focus.alone().among(nodes)), focus.server());
        }
        Fact<ServerFacts> server = server(namespace, spec, conversion, workload);
        // The volumes can be told only once the server has said where its directories are.
        return wantsConversion(spec, server)
                ? new Seen(workload(namespace, spec, server.seen().flatMap(InstanceLook::directories)), server)
                : new Seen(workload, server);
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
            return Fact.known(words.of(target.seen().orElseThrow()));
        } catch (ServerException e) {
            return Fact.missing(
                    Observer.camel(e.kind().name()),
                    String.valueOf(e.getMessage()),
                    "see spec.connection and the server's log");
        }
    }

    /** A connection to a pod that is going or not there yet would only cost its time-out. */
    private static boolean standsStill(Optional<PodFacts> pod) {
        return pod.isEmpty()
                || pod.get().deleting().isPresent()
                || pod.get().ended()
                || pod.get().ip().isEmpty();
    }

    static boolean wantsConversion(DataChecksumsSpec spec, Fact<ServerFacts> server) {
        ChecksumState wanted = Observation.declared(spec.state());
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
}

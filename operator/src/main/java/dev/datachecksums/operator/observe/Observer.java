package dev.datachecksums.operator.observe;

import dev.datachecksums.api.v1alpha1.ConnectionSpec;
import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DataChecksumsSpec;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.operator.instance.InstanceDriver;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.offline.JobSpec;
import dev.datachecksums.operator.offline.RememberedJobs;
import dev.datachecksums.operator.postgres.PostgresServer;
import dev.datachecksums.operator.postgres.ServerAddress;
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
    private final KeptWords kept = new KeptWords();
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
    public Observation observe(DataChecksums d, Declarations others) {
        String uid = d.getMetadata().getUid();
        return kept.of(uid, conversion(d), clock.instant())
                .map(words -> observe(d, others, t -> wordOf(words, t)))
                .flatMap(KeptWords::confirmed)
                .orElseGet(() -> inFull(uid, d, others));
    }

    private static Optional<ConversionStatus> conversion(DataChecksums d) {
        return Optional.ofNullable(d.getStatus()).map(DataChecksumsStatus::conversion);
    }

    /** A server that was not asked before, such as a standby that is new, is asked. */
    private ServerFacts wordOf(Map<ServerAddress, ServerFacts> kept, ServerTarget t) throws ServerException {
        ServerFacts word = kept.get(t.address());
        return word == null ? postgres.observe(t) : word;
    }

    private Observation inFull(String uid, DataChecksums d, Declarations others) {
        Map<ServerAddress, ServerFacts> words = new HashMap<>();
        Observation o = observe(d, others, t -> {
            ServerFacts word = postgres.observe(t);
            words.put(t.address(), word);
            return word;
        });
        if (o.online().seen().isPresent()) {
            kept.keep(uid, o.at(), words);
        } else {
            kept.forget(uid);
        }
        return o;
    }

    private Observation observe(DataChecksums d, Declarations others, InstanceLook.Words words) {
        ObjectMeta meta = d.getMetadata();
        DataChecksumsSpec spec = d.getSpec();
        DataChecksumsStatus status = d.getStatus() == null ? DataChecksumsStatus.EMPTY : d.getStatus();
        InstanceLook.Seen seen = new InstanceLook(driver, targets, words).look(meta.getNamespace(), spec, status);
        Fact<ServerFacts> server = seen.server();
        Fact<WorkloadFacts> workload = seen.workload();
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
                jobs.of(
                        new JobSpec.Owner(meta.getNamespace(), meta.getName(), meta.getUid()),
                        conversion(d),
                        rests(spec, server)),
                sessions.apply(meta.getUid()),
                Conflicts.of(d, server, others),
                spec.instanceRef() != null && InstanceLook.wantsConversion(spec, server)
                        ? permissions.missing(
                                meta.getNamespace(), spec.instanceRef().kind())
                        : List.of(),
                online(meta, spec, status, server, workload),
                standby(meta, spec, status, server, workload));
    }

    /** Nothing is begun on what this look sees. */
    private static boolean rests(DataChecksumsSpec spec, Fact<ServerFacts> server) {
        return server.seen().isPresent() && !InstanceLook.wantsConversion(spec, server);
    }

    /** Forgets a resource that has gone. */
    public void forget(String uid) {
        kept.forget(uid);
        watch.forget(uid);
        standbyWatch.forget(uid);
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
        return targetIf(due, meta, spec, workload)
                .map(t -> standbyWatch.look(meta.getUid(), t))
                .orElseGet(Observation::notAsked);
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
        boolean due = c == null
                && InstanceLook.wantsConversion(spec, server)
                && spec.policy().method() != Method.OFFLINE;
        boolean can = server.seen()
                .filter(s -> s.onlineFunctions()
                        && s.superuser()
                        && !s.inRecovery()
                        && s.forkName().isEmpty()
                        && s.poolerEvidence().isEmpty())
                .isPresent();
        return targetIf(can && (runs || due), meta, spec, workload)
                .map(t -> watch.look(meta.getUid(), t, status))
                .orElseGet(Observation::notAsked);
    }

    /** The way to the server, for what has to be told to it. */
    public Fact<ServerTarget> target(Observation o) {
        return target(o.resource().namespace(), o.spec(), o.workload());
    }

    private Optional<ServerTarget> targetIf(
            boolean due, ObjectMeta meta, DataChecksumsSpec spec, Fact<WorkloadFacts> workload) {
        return due ? target(meta.getNamespace(), spec, workload).seen() : Optional.empty();
    }

    private Fact<ServerTarget> target(String namespace, DataChecksumsSpec spec, Fact<WorkloadFacts> workload) {
        return targets.of(namespace, connection(spec, workload), workload.seen().flatMap(WorkloadFacts::pod));
    }

    private static ConnectionSpec connection(DataChecksumsSpec spec, Fact<WorkloadFacts> workload) {
        return workload.seen().filter(WorkloadFacts::several).isPresent()
                ? spec.connection().withoutHost()
                : spec.connection();
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

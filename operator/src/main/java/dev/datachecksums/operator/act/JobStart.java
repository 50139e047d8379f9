package dev.datachecksums.operator.act;

import dev.datachecksums.api.v1alpha1.ConnectionSpec;
import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.ServerStatus;
import dev.datachecksums.api.v1alpha1.TlsSpec;
import dev.datachecksums.operator.decide.CopyRoom;
import dev.datachecksums.operator.decide.Planner;
import dev.datachecksums.operator.instance.InstanceDriver;
import dev.datachecksums.operator.instance.PodIdentity;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.observe.ApiProblem;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.ConversionJob;
import dev.datachecksums.operator.offline.JobGateway;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.offline.JobSpec;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.Tls;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Starts a Job beside the database's pod, or where nobody knows any more what it needs, after the likeness of an earlier one. */
final class JobStart {

    /** A Job waits beside the serving server at most so long. */
    private static final Duration READY_FOR = Duration.ofMinutes(30);
    /** Once it has seen the interlock it lifts it again unless the stop comes within this. */
    private static final Duration ARMED_FOR = Duration.ofSeconds(20);
    /** A copy waits, and follows, until a window opens: a week and something over. */
    private static final Duration COPY_FOR = Duration.ofDays(9);

    private final InstanceDriver driver;
    private final ConversionJob conversionJob;
    private final ConversionJob standbyJob;
    private final JobGateway jobs;
    private final Clock clock;
    private final Function<Observation, Optional<String>> hostName;

    /** With what tells by which name the operator reaches the server. */
    JobStart(
            InstanceDriver driver,
            ConversionJob conversionJob,
            ConversionJob standbyJob,
            JobGateway jobs,
            Clock clock,
            Function<Observation, Optional<String>> hostName) {
        this.driver = driver;
        this.conversionJob = conversionJob;
        this.standbyJob = standbyJob;
        this.jobs = jobs;
        this.clock = clock;
        this.hostName = hostName;
    }

    Outcome start(Observation o, ConversionStatus c, String name, JobSpec.Mode mode, Outcome out) {
        Optional<PodFacts> pod = o.workload().seen().flatMap(WorkloadFacts::pod);
        try {
            Optional<Job> job = beside(o, c, name, mode, pod);
            if (job.isEmpty() && mode == JobSpec.Mode.LIFT) {
                job = jobs.jobs(o.resource().namespace(), o.resource().uid()).stream()
                        .findFirst()
                        .map(earlier -> conversionJob.lift(earlier, name));
            }
            if (job.isEmpty()) {
                return out.problem(
                        pod.isEmpty()
                                ? "there is no pod whose volumes the Job could take over"
                                : "the server is down, and neither the status nor the pod (PGDATA, runAsUser) says where"
                                        + " its data directory is and whose: remove our line from postgresql.auto.conf"
                                        + " there, and rename pg_wal.dck to pg_wal if there is one");
            }
            job.get()
                    .getMetadata()
                    .getAnnotations()
                    .put(JobNames.ASKED, clock.instant().toString());
            return jobs.create(job.get()) == JobGateway.Created.NAME_TAKEN
                    ? out.problem("there is a Job " + name + " that is not of this resource: delete it, or rename it")
                    : out;
        } catch (IllegalArgumentException e) {
            return out.problem(String.valueOf(e.getMessage()));
        } catch (KubernetesClientException e) {
            if (mode == JobSpec.Mode.LIFT && ApiProblem.namespaceGoes(e)) {
                return letGo(o, pod, out);
            }
            throw e;
        }
    }

    /** Nothing can be made in a namespace that is being deleted, and a pod that is held would keep it for ever. */
    private Outcome letGo(Observation o, Optional<PodFacts> pod, Outcome out) {
        pod.filter(PodFacts::held).ifPresent(p -> driver.release(o.resource().namespace(), p.name(), p.uid()));
        return out.problem(
                "the namespace is being deleted, so that no Job can lift the interlock: the pod is let go as it is");
    }

    private Optional<Job> beside(
            Observation o, ConversionStatus c, String name, JobSpec.Mode mode, Optional<PodFacts> pod) {
        Optional<WorkloadFacts> w = o.workload().seen();
        Optional<String> container = w.flatMap(WorkloadFacts::container);
        if (pod.isEmpty() || container.isEmpty()) {
            return Optional.empty();
        }
        JobSpec.Owner owner = new JobSpec.Owner(
                o.resource().namespace(), o.resource().name(), o.resource().uid());
        boolean copy = c.method() == ConversionMethod.TEMPORARY_STANDBY;
        return spec(o, mode, pod.get(), container.get(), copy)
                .map(spec -> (copy ? standbyJob : conversionJob)
                        .build(
                                owner,
                                name,
                                pod.get().raw(),
                                container.get(),
                                w.get().volumes(),
                                spec));
    }

    /** By the server's word; once it is stopped, by what it said last; where that is lost, by the pod's. */
    private Optional<JobSpec> spec(Observation o, JobSpec.Mode mode, PodFacts pod, String container, boolean copy) {
        ServerStatus said = o.status().server();
        Optional<ServerFacts> server = o.server().seen();
        Optional<String> directory = server.flatMap(s -> s.dataDirectory().value())
                .or(() -> Optional.ofNullable(said).map(ServerStatus::dataDirectory))
                .or(() -> PodIdentity.dataDirectory(pod.raw(), container));
        Optional<String> runAs = server.flatMap(s -> s.osUser().value())
                .map(u -> u.uid() + ":" + u.gid())
                .or(() -> Optional.ofNullable(said).map(ServerStatus::runAs))
                .or(() -> PodIdentity.runAs(pod.raw(), container));
        if (directory.isEmpty() || runAs.isEmpty()) {
            return Optional.empty();
        }
        String[] ids = runAs.get().split(":", 2);
        return Optional.of(new JobSpec(
                mode,
                directory.get(),
                server.flatMap(s -> s.binDir().value()),
                Long.parseLong(ids[0]),
                Long.parseLong(ids[1]),
                server.flatMap(s -> s.seLinuxLevel().value()),
                pod.ip().or(() -> copy ? Optional.of(JobSpec.NOBODY) : Optional.empty()),
                o.spec().connection().portNumber(),
                copy ? COPY_FOR : READY_FOR,
                ARMED_FOR,
                maxOutage(o),
                o.spec().policy().offline().sync(),
                copy ? Optional.of(copy(o)) : Optional.empty()));
    }

    private JobSpec.Copy copy(Observation o) {
        ConnectionSpec connection = o.spec().connection();
        return new JobSpec.Copy(
                connection.database(),
                connection.credentials().secretName(),
                connection.credentials().usernameKey(),
                connection.credentials().passwordKey(),
                encryption(o),
                Planner.copyRate(o),
                o.standby().seen().flatMap(f -> f.dataSpace().value()).map(s -> CopyRoom.floor(o, s)));
    }

    /** As the operator itself: what it verifies is verified by the script, too. */
    private JobSpec.Encryption encryption(Observation o) {
        TlsSpec tls = o.spec().connection().tls();
        Tls.Mode mode = Tls.Mode.valueOf(tls.mode().name());
        Optional<JobSpec.Authority> ca = Optional.ofNullable(tls.caSecretName())
                .filter(secret -> mode.demandsEncryption())
                .map(secret -> new JobSpec.Authority(secret, Objects.requireNonNull(tls.caKey())));
        Optional<String> name = mode == Tls.Mode.VERIFY_FULL ? hostName.apply(o) : Optional.empty();
        return new JobSpec.Encryption(mode.sslMode(), name, ca);
    }

    static Duration maxOutage(Observation o) {
        return Durations.parse(o.spec().policy().offline().maxOutage());
    }
}

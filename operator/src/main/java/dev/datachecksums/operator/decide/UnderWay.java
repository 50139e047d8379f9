package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.ObservedState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.SessionFacts;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobLog;
import dev.datachecksums.operator.offline.Step;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A conversion goes forward: the Job is prepared beside the serving server, the session is held, the interlock is set,
 * the server is stopped, the Job works, the pod is released, the server says that it is done.
 */
final class UnderWay {

    /** A Job that has no running pod after so long is not going to get one. */
    static final Duration JOB_START_LIMIT = Duration.ofSeconds(90);
    /** A Job whose pod was refused by admission never becomes Failed: it is given up as soon as its event is there. */
    static final Duration REFUSED_AFTER = Duration.ofSeconds(5);
    /** A CHECKPOINT older than this does not make the shutdown short any more. */
    static final Duration CHECKPOINT_HOLDS = Duration.ofSeconds(30);
    /** The interlock stands armed for seconds: while it does, no change of configuration takes effect. */
    static final Duration ARMED_LIMIT = Duration.ofSeconds(5);
    /** A server that is not answering while it is prepared may only be restarting. */
    static final Duration SILENCE_LIMIT = Duration.ofSeconds(30);

    private final Gate gate;

    UnderWay(Gate gate) {
        this.gate = gate;
    }

    Verdict decide(Observation o, ConversionStatus c) {
        Optional<JobFacts> job = o.job(c.id());
        JobLog log = job.map(JobFacts::log).orElse(JobLog.EMPTY);
        boolean stopped = stopped(o, c);
        // Once the control file says the new state, the way forward is the shortest way back into service.
        if (!log.said(Step.CONVERTED)) {
            Optional<GivingUp> cancelled = cancelled(o, c);
            if (cancelled.isPresent()) {
                return giveUp(c, cancelled.get());
            }
        }
        if (job.isEmpty()) {
            return stopped || o.session().interlocked().isPresent()
                    ? giveUp(c, "JobLost", "the Job " + c.id() + " was deleted by somebody while it was needed")
                    : Verdict.of(
                            Phase.CONVERTING,
                            "Preparing",
                            "the Job " + c.id() + " is created",
                            new Decision.StartJob(c));
        }
        return stopped ? whileStopped(o, c, job.get()) : whileServing(o, c, job.get());
    }

    /** Whether the server was stopped for this try: by the record, or by what became of the pod. */
    static boolean stopped(Observation o, ConversionStatus c) {
        if (c.stopped() != null) {
            return true;
        }
        Optional<WorkloadFacts> w = o.workload().seen();
        if (w.isEmpty()) {
            return false;
        }
        Optional<PodFacts> pod = w.get().pod();
        return pod.isEmpty()
                || !pod.get().uid().equals(c.podUid())
                || pod.get().deleting().isPresent();
    }

    private static Optional<GivingUp> cancelled(Observation o, ConversionStatus c) {
        if (o.resource().deleting()) {
            return Optional.of(new GivingUp(
                    GivingUp.DELETED, "the resource is deleted: service is restored, the server keeps its state"));
        }
        if (o.spec().suspended()) {
            return Optional.of(new GivingUp(
                    GivingUp.SUSPENDED, "spec.suspend became true: the try is given up and service restored"));
        }
        if (o.spec().state() != c.to()) {
            return Optional.of(new GivingUp(
                    GivingUp.STATE_FLIPPED,
                    "spec.state was changed meanwhile: the try is given up and service restored"));
        }
        return Optional.empty();
    }

    // ---- while the server serves

    private Verdict whileServing(Observation o, ConversionStatus c, JobFacts job) {
        if (o.workload() instanceof Fact.Missing<WorkloadFacts> m) {
            return m.reason().equals("ApiUnavailable")
                    ? Verdict.of(Phase.CONVERTING, m.reason(), m.message(), new Decision.Nothing())
                    : giveUp(c, m.reason(), m.message());
        }
        if (job.over()
                || job.deleting()
                || job.log().said(Step.FAILED)
                || job.log().said(Step.REFUSED)) {
            return giveUp(c, jobFailure(job));
        }
        if (job.log().ready().isEmpty()) {
            return preparing(o, c, job);
        }
        if (o.server() instanceof Fact.Missing<ServerFacts> m) {
            // Armed, and the server went without being stopped by us: the pid file may stay, the Job would wait out its
            // bound.
            return o.session().interlocked().isPresent() || silentFor(o, job).compareTo(SILENCE_LIMIT) > 0
                    ? giveUp(c, "ServerVanished", "the server stopped answering while it was prepared: " + m.message())
                    : Verdict.of(Phase.CONVERTING, m.reason(), m.message(), new Decision.Nothing());
        }
        ServerFacts server = o.server().seen().orElseThrow();
        Optional<GivingUp> other = anotherServer(server, job.log().ready().get());
        if (other.isPresent()) {
            return giveUp(c, other.get());
        }
        return switchOver(o, c, job, server);
    }

    private static Verdict preparing(Observation o, ConversionStatus c, JobFacts job) {
        Duration age = Duration.between(job.created(), o.at());
        boolean hopeless = job.pod().isEmpty() && job.problem().isPresent() && age.compareTo(REFUSED_AFTER) > 0;
        if (hopeless || age.compareTo(JOB_START_LIMIT) > 0) {
            return giveUp(
                    c,
                    "JobNotStarted",
                    "the Job " + job.name() + " did not get ready within " + Durations.format(age) + ": "
                            + job.problem().orElse("its script has not said that it is ready"));
        }
        return Verdict.of(
                        Phase.CONVERTING,
                        "Preparing",
                        "the Job " + job.name() + " gets ready; the server goes on serving"
                                + job.problem().map(p -> ". It waits: " + p).orElse(""),
                        new Decision.Nothing())
                .until(job.created().plus(hopeless ? REFUSED_AFTER : JOB_START_LIMIT));
    }

    private Verdict switchOver(Observation o, ConversionStatus c, JobFacts job, ServerFacts server) {
        SessionFacts session = o.session();
        if (session.interlocked().isPresent()) {
            return armed(o, c, job, session.interlocked().get());
        }
        if (server.interlockPresent().value().orElse(false) || job.log().said(Step.ARMED)) {
            return giveUp(
                    c,
                    "SessionLost",
                    "the operator was restarted while the interlock stood: it is lifted and the try begins anew");
        }
        List<Finding> findings = gate.askServer(o);
        if (findings.isEmpty()) {
            findings = gate.askOffline(o);
        }
        if (!findings.isEmpty()) {
            return giveUp(
                    c,
                    GivingUp.GATE_CLOSED,
                    "the gate closed before the stop: " + findings.get(0).check());
        }
        Instant stale = session.since().plus(CHECKPOINT_HOLDS);
        return switch (session.state()) {
            case NONE ->
                Verdict.of(
                        Phase.CONVERTING,
                        "Preparing",
                        "a session is opened for the stop, and a CHECKPOINT made",
                        new Decision.HoldSession());
            case PREPARING ->
                Verdict.of(
                        Phase.CONVERTING,
                        "Checkpoint",
                        "a CHECKPOINT makes the shutdown short",
                        new Decision.Nothing());
            case BROKEN ->
                giveUp(
                        c,
                        "SessionBroken",
                        "the session for the stop broke: " + session.problem().orElse("no reason given"));
            case READY ->
                o.at().isAfter(stale)
                        ? Verdict.of(
                                Phase.CONVERTING,
                                "Preparing",
                                "the CHECKPOINT is made anew",
                                new Decision.HoldSession())
                        : Verdict.of(
                                Phase.STOPPING,
                                "Arming",
                                "the interlock is set: from here on no postmaster starts until the end",
                                new Decision.Arm(c));
        };
    }

    private static Verdict armed(Observation o, ConversionStatus c, JobFacts job, Instant since) {
        if (o.session().state() == SessionFacts.State.BROKEN) {
            return giveUp(c, "SessionBroken", "the session for the stop broke while the interlock stood");
        }
        if (job.log().said(Step.ARMED)) {
            boolean hold = Planner.hold(c.to(), c.bytes() == null ? Long.MAX_VALUE / 2000 : c.bytes());
            return Verdict.of(Phase.STOPPING, "Stopping", "the server is stopped", new Decision.Stop(c, hold));
        }
        return o.at().isAfter(since.plus(ARMED_LIMIT))
                ? giveUp(
                        c,
                        "JobNotArmed",
                        "the Job did not see the interlock within " + Durations.format(ARMED_LIMIT)
                                + ": does it mount the volume of this server?")
                : Verdict.of(Phase.STOPPING, "Arming", "the Job looks for the interlock", new Decision.Nothing())
                        .until(since.plus(ARMED_LIMIT));
    }

    /** The directory that the Job sees must be the one of the server that we talk to: a host may name another. */
    private static Optional<GivingUp> anotherServer(ServerFacts server, JobLog.Ready ready) {
        boolean same = server.systemIdentifier()
                        .value()
                        .filter(ready.systemIdentifier()::equals)
                        .isPresent()
                && Duration.between(ready.postmasterStart(), server.postmasterStartTime())
                                .abs()
                                .compareTo(Duration.ofSeconds(10))
                        < 0;
        return same
                ? Optional.empty()
                : Optional.of(new GivingUp(
                        "AnotherServer",
                        "connection.host leads to the server "
                                + server.systemIdentifier().value().orElse("unknown")
                                + " started " + server.postmasterStartTime() + ", the volume belongs to "
                                + ready.systemIdentifier() + " started "
                                + ready.postmasterStart() + ": correct connection.host or instanceRef"));
    }

    private static Duration silentFor(Observation o, JobFacts job) {
        return Duration.between(job.log().at(Step.READY).orElse(job.created()), o.at());
    }

    // ---- while it is stopped

    private static Verdict whileStopped(Observation o, ConversionStatus c, JobFacts job) {
        JobLog log = job.log();
        Optional<PodFacts> pod = o.workload().seen().flatMap(WorkloadFacts::pod);
        if (log.said(Step.LIFTED) && log.said(Step.CONVERTED)) {
            if (pod.isPresent() && pod.get().held()) {
                return Verdict.of(
                        Phase.STARTING,
                        "Releasing",
                        "the conversion is done: the pod is released",
                        new Decision.Release(pod.get().name(), pod.get().uid()));
            }
            return starting(o, c, log, pod);
        }
        if (job.over() || log.said(Step.FAILED) || log.said(Step.REFUSED)) {
            return giveUp(c, jobFailure(job));
        }
        Instant since = c.stopped() == null ? o.at() : Instant.parse(c.stopped());
        Instant deadline =
                since.plus(Durations.parse(o.spec().policy().offline().maxOutage()));
        if (o.at().isAfter(deadline)) {
            return giveUp(
                    c,
                    "DeadlineExceeded",
                    "policy.offline.maxOutage (" + o.spec().policy().offline().maxOutage() + ") has passed");
        }
        if (log.said(Step.STOPPED)) {
            return Verdict.of(
                            Phase.REWRITING,
                            "Rewriting",
                            "pg_checksums works on the stopped data directory",
                            new Decision.Nothing())
                    .until(deadline);
        }
        return Verdict.of(Phase.STOPPING, "Stopping", "the server shuts down", new Decision.Nothing())
                .until(deadline);
    }

    private static Verdict starting(Observation o, ConversionStatus c, JobLog log, Optional<PodFacts> pod) {
        if (o.server() instanceof Fact.Known<ServerFacts> k) {
            ServerFacts server = k.it();
            if (AtRest.is(server.checksums(), c.to())) {
                return Verdict.of(
                        Phase.CONVERGED,
                        "Converged",
                        "PostgreSQL " + server.serverVersion() + " says: data_checksums "
                                + AtRest.word(server.checksums()),
                        new Decision.Complete(c, result(o, c, server)));
            }
            return giveUp(
                    c,
                    "ServerDisagrees",
                    "pg_checksums said that it was done, the server says " + AtRest.word(server.checksums()));
        }
        return WayBack.restart(o, pod, log.at(Step.LIFTED))
                .orElseGet(() ->
                        Verdict.of(Phase.STARTING, "Starting", "converted; the server starts", new Decision.Nothing()));
    }

    private static LastConversion result(Observation o, ConversionStatus c, ServerFacts server) {
        Instant first = c.restored() == null ? server.observedAt() : Instant.parse(c.restored());
        String outage =
                c.stopped() == null ? null : Durations.format(Duration.between(Instant.parse(c.stopped()), first));
        boolean on = c.to() == DesiredState.ENABLED;
        return new LastConversion(
                on ? ObservedState.OFF : ObservedState.ON,
                on ? ObservedState.ON : ObservedState.OFF,
                c.method(),
                c.started(),
                server.observedAt().toString(),
                outage,
                c.bytes(),
                Attempts.count(Attempts.of(o)) + 1);
    }

    // ---- giving up

    private static GivingUp jobFailure(JobFacts job) {
        JobLog log = job.log();
        String reason = log.reason().orElse(job.deleting() ? "JobDeleted" : "JobFailed");
        return new GivingUp(
                reason,
                "the Job " + job.name() + " ended without converting: "
                        + log.message()
                                .orElseGet(() -> job.pod()
                                        .flatMap(JobFacts.JobPod::exitCode)
                                        .map(rc -> "exit status " + rc)
                                        .orElse("its pod was deleted or killed")));
    }

    private static Verdict giveUp(ConversionStatus c, String reason, String message) {
        return giveUp(c, new GivingUp(reason, message));
    }

    private static Verdict giveUp(ConversionStatus c, GivingUp why) {
        return Verdict.of(
                Phase.STARTING, why.reason(), why.message(), new Decision.GiveUp(c, why.reason(), why.message()));
    }
}

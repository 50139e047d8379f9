package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobLog;
import dev.datachecksums.operator.offline.Step;
import java.time.Duration;
import java.util.Optional;

/**
 * A conversion goes forward: the Job is prepared beside the serving server, the session is held, the interlock is set,
 * the server is stopped, the Job works, the pod is released, the server says that it is done.
 */
final class UnderWay {

    /** A Job that could not be made, or that somebody keeps deleting, is given up after so long. */
    static final Duration JOB_CREATE_LIMIT = Duration.ofMinutes(2);

    private final Serving serving;

    UnderWay(Gate gate, Planner planner) {
        this.serving = new Serving(gate, planner);
    }

    Verdict decide(Observation o, ConversionStatus c) {
        Optional<JobFacts> job = o.job(c.id());
        JobLog log = job.map(JobFacts::log).orElse(JobLog.EMPTY);
        // Once the control file says the new state, the way forward is the shortest way back into service.
        if (!log.turned()) {
            Optional<GivingUp> cancelled = cancelled(o, c);
            if (cancelled.isPresent()) {
                return giveUp(c, cancelled.get());
            }
        }
        boolean away = away(o, c);
        if (c.stopped() != null || ((away || stoppedInPlace(o)) && log.said(Step.ARMED))) {
            return job.map(j -> Stopped.decide(o, c, j)).orElseGet(() -> jobLost(c));
        }
        if (away && job.map(UnderWay::unread).orElse(false)) {
            return Verdict.of(
                    Phase.CONVERTING,
                    "Preparing",
                    "the pod is going; whether the Job has stopped it is read from the Job's log",
                    new Decision.Nothing());
        }
        if (away) {
            return giveUp(
                    c,
                    GivingUp.POD_REPLACED,
                    "somebody else deleted the pod while the conversion was being prepared: it begins anew");
        }
        return job.map(j -> serving.decide(o, c, j)).orElseGet(() -> noJob(o, c));
    }

    private static Verdict noJob(Observation o, ConversionStatus c) {
        boolean line =
                o.server().seen().flatMap(s -> s.interlockPresent().value()).orElse(false);
        if (line || o.session().interlocked().isPresent()) {
            return jobLost(c);
        }
        if (o.at().isAfter(Times.parse(c.started()).plus(JOB_CREATE_LIMIT))) {
            return giveUp(
                    c,
                    "JobNotStarted",
                    "there is no Job " + c.id() + " " + JOB_CREATE_LIMIT.toMinutes()
                            + " minutes after the try began: it cannot be created, or somebody deletes it");
        }
        return Verdict.of(Phase.CONVERTING, "Preparing", "the Job " + c.id() + " is created", new Decision.StartJob(c));
    }

    private static Verdict jobLost(ConversionStatus c) {
        return giveUp(c, "JobLost", "the Job " + c.id() + " was deleted by somebody while it was needed");
    }

    /** Whether the server went while its pod stays, as it does where the pod would be replaced. The Job says how it went. */
    private static boolean stoppedInPlace(Observation o) {
        return o.server().seen().isEmpty() && !o.holdable();
    }

    /** Whether the pod that the try began with is gone or going. Unknown is no. */
    private static boolean away(Observation o, ConversionStatus c) {
        Optional<WorkloadFacts> w = o.workload().seen();
        if (w.isEmpty()) {
            return false;
        }
        Optional<PodFacts> pod = w.get().pod();
        return pod.isEmpty()
                || !pod.get().uid().equals(c.podUid())
                || pod.get().deleting().isPresent();
    }

    /** After a start of the operator the log of a running Job comes a moment later. */
    static boolean unread(JobFacts job) {
        return job.log().last().isEmpty()
                && job.pod().map(JobFacts.JobPod::running).orElse(false);
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
        OfflineStrategy strategy = o.spec().policy().offline().strategy();
        boolean copies = strategy == OfflineStrategy.AUTO || strategy == OfflineStrategy.TEMPORARY_STANDBY;
        if (Copy.of(c) && c.stopped() == null && (!copies || o.spec().policy().method() == Method.ONLINE)) {
            return Optional.of(new GivingUp(
                    GivingUp.STRATEGY_CHANGED,
                    "the policy wants no TemporaryStandby any more: the copy is given up, the server goes on serving"));
        }
        return Optional.empty();
    }

    static GivingUp jobFailure(JobFacts job) {
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

    static Verdict giveUp(ConversionStatus c, String reason, String message) {
        return giveUp(c, new GivingUp(reason, message));
    }

    static Verdict giveUp(ConversionStatus c, GivingUp why) {
        return Verdict.of(
                Phase.STARTING, why.reason(), why.message(), new Decision.GiveUp(c, why.reason(), why.message()));
    }
}

package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobLog;
import dev.datachecksums.operator.offline.Step;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.time.Instant;
import java.util.Optional;

/** Proofs that both interlocks of a try are lifted: without one no pod is released and no try is over. */
final class Lifted {

    private Lifted() {}

    /** Since when they are known to be lifted; nothing where it is not proven. The try's own Job has ended. */
    static Optional<Instant> proof(Observation o, ConversionStatus c) {
        return byServer(o, c).or(() -> byLiftJob(o, c)).or(() -> byJob(o, c));
    }

    /**
     * A server that says that no line stands. No server starts without pg_wal; but one that came up in the moment
     * between the stop and the renaming runs on without it, for a while. So once it may have been renamed, only a server
     * counts that started after the Job's last word; both are by the clock of one node.
     */
    private static Optional<Instant> byServer(Observation o, ConversionStatus c) {
        JobLog log = o.job(c.id()).map(JobFacts::log).orElse(JobLog.EMPTY);
        Optional<Instant> lastWord = log.last().flatMap(log::at);
        boolean renamed = c.stopped() != null || log.said(Step.STOPPED) || !samePod(o, c);
        return o.server()
                .seen()
                .filter(s -> !s.interlockPresent().value().orElse(true))
                .filter(s -> !renamed
                        || lastWord.filter(s.postmasterStartTime()::isAfter).isPresent())
                .map(ServerFacts::observedAt);
    }

    private static boolean samePod(Observation o, ConversionStatus c) {
        return o.workload()
                .seen()
                .flatMap(WorkloadFacts::pod)
                .filter(p -> p.uid().equals(c.podUid()) && p.deleting().isEmpty())
                .isPresent();
    }

    /**
     * The Job's last word. A Job that was ready but never saw the line has proven nothing: the operator may have written
     * it a moment later.
     */
    private static Optional<Instant> byJob(Observation o, ConversionStatus c) {
        Optional<JobFacts> job = o.job(c.id()).filter(JobFacts::over);
        JobLog log = job.map(JobFacts::log).orElse(JobLog.EMPTY);
        boolean done = log.said(Step.DONE);
        boolean says = log.lifted().orElse(log.said(Step.LIFTED) || done);
        boolean saw = log.said(Step.ARMED) || !log.said(Step.READY) || done;
        return log.last().filter(l -> says && saw).flatMap(log::at).filter(t -> !refutes(o, t));
    }

    /**
     * A lift Job of this try. Its creation counts, by the API server's clock, as that of the pod does. One that has found something that is
     * none of ours, such as a pg_wal that is nowhere, tries on, but keeps no resource from being deleted.
     */
    private static Optional<Instant> byLiftJob(Observation o, ConversionStatus c) {
        return Lift.jobs(o, c).stream()
                .filter(l -> l.log().said(Step.LIFTED)
                        || (o.resource().deleting()
                                && l.over()
                                && l.log().lifted().orElse(false)))
                .map(JobFacts::created)
                .filter(t -> !refutes(o, t))
                .findFirst();
    }

    /** A pod made since then that met the interlock all the same. */
    private static boolean refutes(Observation o, Instant lifted) {
        return o.workload()
                .seen()
                .filter(WorkloadFacts::interlockInLog)
                .flatMap(WorkloadFacts::pod)
                .filter(p -> !WayBack.created(p).isBefore(lifted))
                .isPresent();
    }
}

package dev.datachecksums.operator.decide;

import static dev.datachecksums.operator.decide.UnderWay.giveUp;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobLog;
import dev.datachecksums.operator.offline.Step;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.time.Instant;
import java.util.Optional;

/** Under way, and the server was stopped for it: the Job works, then the server starts and says that it is done. */
final class Stopped {

    private Stopped() {}

    static Verdict decide(Observation o, ConversionStatus c, JobFacts job) {
        JobLog log = job.log();
        boolean done = log.said(Step.LIFTED)
                && log.said(Step.CONVERTED)
                && log.lifted().orElse(true);
        if (!done && log.said(Step.SWAPPED) && (job.over() || log.said(Step.FAILED))) {
            return swapped(o, c, job);
        }
        // The termination message alone is left where the log could not be read.
        if (done || log.said(Step.DONE)) {
            return converted(o, c, job);
        }
        if (job.over() || log.said(Step.FAILED) || log.said(Step.REFUSED)) {
            return giveUp(c, UnderWay.jobFailure(job));
        }
        String maxOutage = o.spec().policy().offline().maxOutage();
        Instant deadline = Converted.since(o, c, Optional.of(job)).plus(Durations.parse(maxOutage));
        if (o.at().isAfter(deadline)) {
            return giveUp(c, "DeadlineExceeded", "policy.offline.maxOutage (" + maxOutage + ") has passed");
        }
        Verdict v = log.said(Step.STOPPED)
                ? Verdict.of(
                        Phase.REWRITING,
                        "Rewriting",
                        Copy.of(c)
                                ? "the copy takes over the server's last WAL, is proven, and takes its place"
                                : "pg_checksums works on the stopped data directory",
                        new Decision.Nothing())
                : Verdict.of(Phase.STOPPING, "Stopping", "the server shuts down", new Decision.Nothing());
        return v.until(deadline);
    }

    /** Killed right after the directories had changed places: forward is the only way, a lift Job sees to it. */
    private static Verdict swapped(Observation o, ConversionStatus c, JobFacts job) {
        String what =
                "the copy has taken the place of the data directory, and its Job ended before service was restored";
        if (Lifted.proof(o, c).isPresent()) {
            return converted(o, c, job);
        }
        return new Lift(o, c, new GivingUp("Restoring", what))
                .decide(o.workload().seen().flatMap(WorkloadFacts::pod).isPresent());
    }

    private static Verdict converted(Observation o, ConversionStatus c, JobFacts job) {
        if (o.server().seen().isEmpty() && o.workload() instanceof Fact.Missing<WorkloadFacts> m) {
            // Whether the pod is held is not known: nothing may be concluded from a server that does not come.
            return WayBack.GONE.contains(m.reason())
                    ? giveUp(c, m.reason(), m.message())
                    : Verdict.of(Phase.STARTING, m.reason(), m.message() + ". " + m.remedy(), new Decision.Nothing());
        }
        Optional<PodFacts> pod = o.workload().seen().flatMap(WorkloadFacts::pod);
        if (pod.isPresent() && pod.get().held()) {
            return Verdict.of(
                    Phase.STARTING,
                    "Releasing",
                    "the conversion is done: the pod is released",
                    new Decision.Release(pod.get().name(), pod.get().uid()));
        }
        if (o.server() instanceof Fact.Known<ServerFacts> k) {
            return started(o, c, job, k.it());
        }
        if (o.resource().deleting()) {
            return giveUp(
                    c,
                    GivingUp.DELETED,
                    "the resource is deleted: the conversion is done, but the server has not said so yet");
        }
        if (Nodes.scaledAway(o, c)) {
            return giveUp(
                    c,
                    GivingUp.SCALED_AWAY,
                    "the workload was scaled down meanwhile, and does not make the pod " + c.pod() + " again");
        }
        return WayBack.restart(
                        o, pod, job.log().at(Step.LIFTED).or(() -> job.log().at(Step.DONE)))
                .orElseGet(() -> Verdict.of(
                        Phase.STARTING,
                        "Starting",
                        "converted; the server starts" + WayBack.waitsFor(o),
                        new Decision.Nothing()));
    }

    private static Verdict started(Observation o, ConversionStatus c, JobFacts job, ServerFacts server) {
        if (server.interlockPresent().value().orElse(false)) {
            return Verdict.of(
                    Phase.STARTING,
                    "Lifting",
                    "the server serves, and the interlock's line came back: it is lifted",
                    new Decision.LiftBySql());
        }
        if (!AtRest.is(server.checksums(), c.to())) {
            return giveUp(
                    c,
                    "ServerDisagrees",
                    "pg_checksums said that it was done, the server says " + AtRest.word(server.checksums()));
        }
        Optional<Verdict> tidying = Copy.of(c) ? tidying(o, c, job, server) : Optional.empty();
        if (tidying.isPresent()) {
            return tidying.get();
        }
        return Converted.verdict(o, c, Optional.of(job), server);
    }

    /** The old directory goes only now that the server has said that it serves from the new one; the slot with it. */
    private static Optional<Verdict> tidying(Observation o, ConversionStatus c, JobFacts job, ServerFacts server) {
        if (c.restored() == null) {
            return Optional.of(Verdict.of(
                    Phase.STARTING,
                    "Serving",
                    "the server serves from the converted copy",
                    new Decision.NoteRestored(c)));
        }
        if (!Copy.cleanedOrHopeless(o, c)) {
            String removing = "the server serves from the converted copy; the old data directory is being removed";
            if (job.over()) {
                GivingUp cleaning = new GivingUp("Cleaning", removing);
                return Optional.of(new Lift(o, c, cleaning)
                        .decide(o.workload().seen().flatMap(WorkloadFacts::pod).isPresent())
                        .saying(removing));
            }
            return Optional.of(Verdict.of(Phase.STARTING, "Cleaning", removing, new Decision.Nothing()));
        }
        return server.standbySlot()
                ? Optional.of(Verdict.of(
                        Phase.STARTING,
                        "Cleaning",
                        "the slot that kept WAL for the copy is dropped",
                        new Decision.DropSlot()))
                : Optional.empty();
    }
}

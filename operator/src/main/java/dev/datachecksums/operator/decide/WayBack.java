package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A try is given up: whatever of ours runs is ended, the interlocks are proven lifted, the pod is released, the server
 * answers. Killed while enabling, the control file still says off, so this is safe from every step.
 */
final class WayBack {

    /** A pod that we stopped carries the long grace of maxOutage: with nothing to wait for, it gets its own back. */
    static final Duration ENDING_LIMIT = Duration.ofSeconds(15);
    /** A server that comes back does so within this. */
    static final Duration SERVER_LIMIT = Duration.ofMinutes(2);
    /** Reasons of a missing workload that has gone for good, or never was. */
    static final Set<String> GONE = Set.of("WorkloadNotFound", "WorkloadUnknown", Observation.EXTERNAL);

    Verdict decide(Observation o, ConversionStatus c, GivingUp why) {
        Optional<Verdict> running = o.job(c.id()).flatMap(j -> end(j, why));
        if (running.isPresent()) {
            return running.get();
        }
        Optional<ServerFacts> server = o.server().seen();
        boolean line = server.flatMap(s -> s.interlockPresent().value()).orElse(false);
        if (line && server.get().superuser()) {
            return restoring(why, new Decision.LiftBySql());
        }
        Optional<Instant> lifted = line ? Optional.empty() : Lifted.proof(o, c);
        if (o.workload() instanceof Fact.Missing<WorkloadFacts> m) {
            return unseen(o, c, why, m, lifted.isPresent());
        }
        Optional<PodFacts> pod = o.workload().seen().flatMap(WorkloadFacts::pod);
        // What keeps a server from starting comes first; a copy is removed by the same Job, or by another once the
        // server serves.
        boolean left = !Copy.cleanedOrHopeless(o, c) && pod.isPresent();
        if (lifted.isEmpty() || (left && Lift.jobs(o, c).isEmpty())) {
            return new Lift(o, c, why).decide(pod.isPresent());
        }
        if (pod.isPresent() && pod.get().held()) {
            return restoring(
                    why, new Decision.Release(pod.get().name(), pod.get().uid()));
        }
        boolean converted = server.filter(s -> Converted.happened(o, c, why, s)).isPresent();
        if (converted && c.restored() == null) {
            return restoring(why, new Decision.NoteRestored(c));
        }
        if (left && (server.isPresent() || o.resource().deleting())) {
            return new Lift(o, c, why).decide(true);
        }
        if (server.filter(ServerFacts::standbySlot).isPresent() && server.get().superuser()) {
            return restoring(why, new Decision.DropSlot());
        }
        if (server.isEmpty() && Copy.of(c) && comesBack(o, c, lifted.get())) {
            Verdict waiting = restoring(
                    why,
                    ": what is left of the copy, its directory and its slot, is removed as soon as the server answers",
                    new Decision.Nothing());
            return restart(o, pod, lifted)
                    .orElseGet(() -> waiting.until(lifted.get().plus(SERVER_LIMIT)));
        }
        if (converted) {
            return Converted.verdict(o, c, o.job(c.id()), server.get());
        }
        // Deletion never needs a reachable database: everything of ours is gone.
        if (server.isPresent() || o.resource().deleting() || Nodes.scaledAway(o, c)) {
            return endTry(o, c, why);
        }
        return restart(o, pod, lifted).orElseGet(() -> restoring(why, waitsFor(o), new Decision.Nothing()));
    }

    /** A resource that is deleted waits a moment for a server that is about to serve, for the sake of what it alone can remove. */
    private static boolean comesBack(Observation o, ConversionStatus c, Instant lifted) {
        return o.resource().deleting()
                && !Nodes.scaledAway(o, c)
                && o.workload().seen().filter(w -> w.replicas() > 0).isPresent()
                && o.at().isBefore(lifted.plus(SERVER_LIMIT));
    }

    /** Ends the try's Job; its script lifts within its grace. Nothing else is done before its pod has ended. */
    private static Optional<Verdict> end(JobFacts job, GivingUp why) {
        if (job.over()) {
            return Optional.empty();
        }
        if (!job.deleting()) {
            return Optional.of(restoring(why, new Decision.DeleteJob(job.name())));
        }
        return job.pod()
                .map(p -> restoring(
                        why,
                        ": the pod " + p.name()
                                + " of the Job lifts the interlock and ends. If its node is off for good, delete that"
                                + " pod with --force",
                        new Decision.Nothing()));
    }

    /** What runs the server cannot be seen: without that nobody knows whether a pod is held. */
    private static Verdict unseen(
            Observation o, ConversionStatus c, GivingUp why, Fact.Missing<WorkloadFacts> m, boolean lifted) {
        if (!GONE.contains(m.reason())) {
            return restoring(why, ": " + m.message() + ". " + m.remedy(), new Decision.Nothing());
        }
        // Its last pod may answer for a while.
        if (o.server().seen().filter(s -> s.standbySlot() && s.superuser()).isPresent()) {
            return restoring(why, new Decision.DropSlot());
        }
        // Nothing is left that a Job could be modelled on, and nothing to bring back into service.
        if (lifted) {
            return endTry(o, c, why);
        }
        GivingUp left = new GivingUp(
                why.reason(),
                why.message()
                        + ". The workload has gone: its volume may still carry the interlock's line in"
                        + " postgresql.auto.conf, and pg_wal under the name pg_wal.dck");
        return endTry(o, c, left, left.message());
    }

    /** Why it was given up has been told by then. */
    private static Verdict endTry(Observation o, ConversionStatus c, GivingUp why) {
        boolean copy = !Copy.cleaned(o, c)
                && o.server().seen().flatMap(s -> s.copyDirectory().value()).orElse(true);
        return endTry(
                o,
                c,
                why,
                "the try is over, and service is restored"
                        + (copy
                                ? "; the copy in the data directory's name with .dck behind it, or in dck.copy inside, could"
                                        + " not be removed: it is tried again later"
                                : ""));
    }

    private static Verdict endTry(Observation o, ConversionStatus c, GivingUp why, String message) {
        return Verdict.of(
                o.spec().suspended() ? Phase.SUSPENDED : Phase.WAITING,
                why.reason(),
                message,
                new Decision.EndTry(c, why.reason(), why.message(), why.counts(), Attempts.after(o, why)));
    }

    /**
     * A container that met the interlock is in back-off, a new pod is not; and a pod that does not end keeps the next away. One that is
     * replaced at once is left to the kubelet: its container may be starting just now, and nothing would keep the two apart.
     */
    static Optional<Verdict> restart(Observation o, Optional<PodFacts> pod, Optional<Instant> lifted) {
        if (pod.isEmpty() || lifted.isEmpty() || !o.holdable()) {
            return Optional.empty();
        }
        PodFacts p = pod.get();
        if (p.deleting().isPresent()) {
            return !p.ended() && o.at().isAfter(lifted.get().plus(ENDING_LIMIT))
                    ? Optional.of(restarting(p, "the stopped pod does not end: it is given its own, shorter grace"))
                    : Optional.empty();
        }
        // Restarted long ago and ready since is not crashing.
        return p.crashing() && !p.ready() && created(p).isBefore(lifted.get())
                ? Optional.of(
                        restarting(p, "the pod's container met the interlock and is in back-off: the pod is made anew"))
                : Optional.empty();
    }

    private static Verdict restarting(PodFacts p, String message) {
        return Verdict.of(Phase.STARTING, "Restarting", message, new Decision.RestartPod(p.name(), p.uid()));
    }

    static Instant created(PodFacts p) {
        return Times.parse(p.raw().getMetadata().getCreationTimestamp());
    }

    /** What the server that does not answer waits for, as far as it can be seen. */
    static String waitsFor(Observation o) {
        Optional<WorkloadFacts> w = o.workload().seen();
        if (w.isPresent() && w.get().pod().isEmpty() && w.get().replicas() == 0) {
            return ": " + w.get().kind() + " " + w.get().name() + " is scaled to 0, so that no pod is made";
        }
        return o.server() instanceof Fact.Missing<ServerFacts> m && !m.reason().equals(Observation.STOPPED)
                ? ": " + m.message()
                : "";
    }

    static Verdict restoring(GivingUp why, Decision d) {
        return restoring(why, "", d);
    }

    static Verdict restoring(GivingUp why, String waitsFor, Decision d) {
        return Verdict.of(Phase.STARTING, why.reason(), why.message() + ". Service is being restored" + waitsFor, d);
    }
}

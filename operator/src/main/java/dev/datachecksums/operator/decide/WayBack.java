package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.offline.Step;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A try is given up: whatever of ours runs is ended, the interlocks are proven lifted, the pod is released, the server
 * answers. Killed while enabling, the control file still says off, so this is safe from every step.
 */
final class WayBack {

    /** How long a pod of ours may take to end before it is taken to be on a dead node, where nothing runs. */
    private static final Duration ENDING_LIMIT = Duration.ofMinutes(2);
    /** Between two lift Jobs. */
    private static final Duration LIFT_AGAIN = Duration.ofSeconds(10);

    Verdict decide(Observation o, ConversionStatus c, GivingUp why) {
        Optional<JobFacts> job = o.job(c.id());
        Optional<Verdict> running = job.flatMap(j -> end(o, j, why));
        if (running.isPresent()) {
            return running.get();
        }
        List<JobFacts> lifts = o.jobs().stream()
                .filter(JobFacts::lift)
                .sorted(Comparator.comparing(JobFacts::created))
                .toList();
        Optional<ServerFacts> server = o.server().seen();
        if (server.isPresent() && server.get().interlockPresent().value().orElse(false)) {
            return restoring(why, new Decision.LiftBySql());
        }
        Optional<Instant> lifted = server.map(ServerFacts::observedAt)
                .or(() -> job.flatMap(WayBack::liftedByTheJob))
                .or(() -> lifts.stream()
                        .filter(l -> l.log().said(Step.LIFTED))
                        .findFirst()
                        .flatMap(l -> l.said(Step.LIFTED)));
        if (lifted.isEmpty()) {
            return lift(o, c, lifts, why);
        }
        Optional<PodFacts> pod = o.workload().seen().flatMap(WorkloadFacts::pod);
        if (pod.isPresent() && pod.get().held()) {
            return restoring(
                    why, new Decision.Release(pod.get().name(), pod.get().uid()));
        }
        // Deletion never needs a reachable database: everything of ours is gone.
        if (server.isPresent() || o.resource().deleting()) {
            return Verdict.of(
                    Phase.WAITING,
                    why.reason(),
                    why.message(),
                    new Decision.EndTry(c, why.reason(), why.message(), why.counts()));
        }
        return restart(o, pod, lifted).orElseGet(() -> restoring(why, new Decision.Nothing()));
    }

    /** Ends the try's Job; its script lifts within its grace. */
    private static Optional<Verdict> end(Observation o, JobFacts job, GivingUp why) {
        if (!job.over() && !job.deleting()) {
            return Optional.of(restoring(why, new Decision.DeleteJob(job.name())));
        }
        boolean ending = job.pod().map(p -> !p.ended()).orElse(false);
        boolean stuck =
                o.at().isAfter(job.said(Step.ARMED).orElse(job.created()).plus(ENDING_LIMIT));
        return ending && !stuck ? Optional.of(restoring(why, new Decision.Nothing())) : Optional.empty();
    }

    /** The Job's own proof: its last word is that both interlocks are lifted, or it never armed. */
    private static Optional<Instant> liftedByTheJob(JobFacts job) {
        boolean lifted = job.log().lifted().orElse(false) || job.log().said(Step.LIFTED);
        return lifted ? job.log().last().flatMap(job.log()::at) : Optional.empty();
    }

    private static Verdict lift(Observation o, ConversionStatus c, List<JobFacts> lifts, GivingUp why) {
        Optional<JobFacts> last = lifts.isEmpty() ? Optional.empty() : Optional.of(lifts.get(lifts.size() - 1));
        if (last.isPresent() && !last.get().over()) {
            return restoring(why, new Decision.Nothing());
        }
        if (last.isPresent() && o.at().isBefore(last.get().created().plus(LIFT_AGAIN))) {
            return restoring(why, new Decision.Nothing())
                    .until(last.get().created().plus(LIFT_AGAIN));
        }
        return restoring(why, new Decision.LiftByJob(c, JobNames.lift(c.id(), lifts.size() + 1)));
    }

    /** A container that met the interlock is in back-off; a new pod is not. */
    static Optional<Verdict> restart(Observation o, Optional<PodFacts> pod, Optional<Instant> lifted) {
        return pod.filter(p -> p.crashing() && p.deleting().isEmpty())
                .filter(p -> lifted.isPresent() && created(p).isBefore(lifted.get()))
                .map(p -> Verdict.of(
                        Phase.STARTING,
                        "Restarting",
                        "the pod's container met the interlock and is in back-off: the pod is made anew",
                        new Decision.RestartPod(p.name(), p.uid())));
    }

    private static Instant created(PodFacts p) {
        return Instant.parse(p.raw().getMetadata().getCreationTimestamp());
    }

    private static Verdict restoring(GivingUp why, Decision d) {
        return Verdict.of(Phase.STARTING, why.reason(), why.message() + ". Service is being restored", d);
    }
}

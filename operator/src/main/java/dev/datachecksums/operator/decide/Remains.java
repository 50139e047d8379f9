package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What a try left that nobody remembers: the status was lost, or a restored backup brought the interlock along. */
final class Remains {

    /** Between two tries to remove the directory of a copy. */
    private static final Duration COPY_AGAIN = Duration.ofMinutes(10);

    private Remains() {}

    /** What to do about remains, if there are any. */
    static Optional<Verdict> of(Observation o) {
        Optional<PodFacts> pod = o.workload().seen().flatMap(WorkloadFacts::pod);
        Optional<JobFacts> job = o.jobs().stream().filter(j -> !j.deleting()).findFirst();
        // The log of a server that has come up tells of the refusals before: its own word is the newer one.
        boolean line = o.server()
                .seen()
                .map(s -> s.interlockPresent().value().orElse(false))
                .orElseGet(() ->
                        o.workload().seen().map(WorkloadFacts::interlockInLog).orElse(false));
        boolean held = pod.map(PodFacts::held).orElse(false);
        boolean slot = o.server().seen().filter(ServerFacts::standbySlot).isPresent();
        boolean copy = copyDue(o);
        if (line || held || slot || copy) {
            String what = held
                    ? "a held pod"
                    : line ? "the interlock's line" : slot ? "the slot of a copy" : "the directory of a copy";
            return Optional.of(adopt(o, pod, job, slot || copy, what));
        }
        return job.map(j -> j.over() ? remove(o, j) : adopt(o, pod, job, false, "a Job"));
    }

    /** A copy only takes room: where it could not be removed, the next tries are some time apart. */
    private static boolean copyDue(Observation o) {
        boolean copy = o.server().seen().flatMap(s -> s.copyDirectory().value()).orElse(false);
        AttemptsStatus last = Attempts.of(o);
        boolean lately = GivingUp.REMAINS.equals(last.lastReason())
                && o.at().isBefore(Times.parse(last.lastTime()).plus(COPY_AGAIN));
        return copy && !lately;
    }

    private static Verdict remove(Observation o, JobFacts job) {
        return Verdict.of(
                AtRest.phaseNow(o),
                "RemovingJob",
                "the Job " + job.name() + " of an earlier try is removed",
                new Decision.DeleteJob(job.name()));
    }

    private static Verdict adopt(
            Observation o, Optional<PodFacts> pod, Optional<JobFacts> job, boolean copies, String what) {
        GivingUp why = new GivingUp(
                GivingUp.REMAINS, what + " of a conversion that is not under way was found: service is restored");
        Optional<JobFacts> own = job.filter(j -> !j.lift());
        Instant started = own.map(JobFacts::asked).orElse(o.at());
        String id = own.map(JobFacts::name)
                .orElseGet(() -> copies
                        ? JobNames.standby(o.resource().name(), o.resource().uid(), o.at())
                        : JobNames.convert(o.resource().name(), o.resource().uid(), o.at()));
        ConversionStatus c = new ConversionStatus(
                id,
                o.spec().state(),
                copies || JobNames.isStandby(id) ? ConversionMethod.TEMPORARY_STANDBY : ConversionMethod.IN_PLACE,
                started.toString(),
                pod.map(PodFacts::name).orElse(null),
                pod.map(PodFacts::uid).orElse(null),
                null,
                null,
                null,
                why.toString());
        return Verdict.of(Phase.STARTING, GivingUp.REMAINS, why.message(), new Decision.AdoptRemains(c));
    }
}

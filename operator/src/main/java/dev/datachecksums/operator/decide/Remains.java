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
import dev.datachecksums.operator.offline.Step;
import dev.datachecksums.operator.postgres.Interlock;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a try left that nobody remembers: the status was lost, or a restored backup brought the interlock along. */
final class Remains {

    /** Between two tries to remove the directory of a copy. */
    private static final Duration COPY_AGAIN = Duration.ofMinutes(10);

    /** Between two looks at a pod that comes up, and for one that is to be made: somebody waits for the deletion. */
    private static final Duration COMES_UP = Duration.ofSeconds(2);

    private static final Duration IS_MADE = Duration.ofSeconds(5);

    private Remains() {}

    /** What to do about remains, if there are any. */
    static Optional<Verdict> of(Observation o) {
        Optional<PodFacts> pod = o.workload().seen().flatMap(WorkloadFacts::pod);
        List<JobFacts> jobs = o.jobs().stream().filter(j -> !j.deleting()).toList();
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
            return Optional.of(adopt(o, pod, jobs, slot || copy, what));
        }
        if (jobs.stream().anyMatch(j -> !j.over())) {
            return Optional.of(adopt(o, pod, jobs, false, "a Job"));
        }
        // The last witness of what it left is not removed while nothing else says that a server can start.
        boolean down = o.server().seen().isEmpty();
        return down && jobs.stream().anyMatch(j -> !lifted(j))
                ? Optional.of(adopt(o, pod, jobs, false, "a Job that has not said that it has lifted its interlocks"))
                : jobs.stream().findFirst().map(j -> remove(o, j));
    }

    private static boolean lifted(JobFacts job) {
        return job.log()
                .lifted()
                .orElse(job.log().said(Step.LIFTED) || job.log().said(Step.DONE));
    }

    /**
     * What keeps a server from starting may be there, and not be seen: its pod has had no time yet to come up, or to fail. Where no pod can
     * be made at all this has no bound: to let go would leave a server that does not start, and nobody who knows why; to hold costs nothing
     * but that the deletion waits, and a person is told how to end that.
     */
    static Optional<Verdict> mayShow(Observation o) {
        Optional<WorkloadFacts> w = o.workload().seen().filter(f -> f.replicas() > 0);
        boolean pending = w.filter(f -> f.pod()
                        .map(p -> !p.crashing()
                                && o.at().isBefore(WayBack.created(p).plus(WayBack.SERVER_LIMIT)))
                        .orElse(true))
                .isPresent();
        if (!pending || !o.resource().finalizer() || o.server().seen().isPresent()) {
            return Optional.empty();
        }
        String unknown =
                "a conversion was under way, and nothing remembers it: whether it has left anything is seen when ";
        return Optional.of(
                w.get().pod().isPresent()
                        ? Verdict.of(
                                        AtRest.phaseNow(o),
                                        "PodComesUp",
                                        unknown + "the pod comes up, or does not",
                                        new Decision.Nothing())
                                .until(o.at().plus(COMES_UP))
                        : Verdict.of(
                                        AtRest.phaseNow(o),
                                        "PodMissing",
                                        unknown + w.get().kind() + " " + w.get().name()
                                                + " has a pod, and it has none: its events say why (a quota?). Without one, remove the finalizer "
                                                + Observation.FINALIZER
                                                + " by hand; should the server not start then, its volume still has the line "
                                                + Interlock.PARAMETER
                                                + " in postgresql.auto.conf, which has to be removed, and maybe pg_wal under the name"
                                                + " pg_wal.dck, which has to be renamed",
                                        new Decision.Nothing())
                                .until(o.at().plus(IS_MADE)));
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

    /**
     * Takes it up. What a server that does not answer has left may be either road's; the script of a copy restores after both, so it is
     * the one where nothing says which.
     */
    private static Verdict adopt(
            Observation o, Optional<PodFacts> pod, List<JobFacts> jobs, boolean copies, String what) {
        GivingUp why = new GivingUp(
                GivingUp.REMAINS, what + " of a conversion that is not under way was found: service is restored");
        Optional<JobFacts> own = jobs.stream().filter(j -> !j.lift()).findFirst();
        boolean standby = copies || (own.isEmpty() && o.server().seen().isEmpty());
        Instant started = own.map(JobFacts::asked).orElse(o.at());
        String id = own.map(JobFacts::name)
                .orElseGet(() -> standby
                        ? JobNames.standby(o.resource().name(), o.resource().uid(), o.at())
                        : JobNames.convert(o.resource().name(), o.resource().uid(), o.at()));
        ConversionStatus c = new ConversionStatus(
                id,
                o.spec().state(),
                standby || JobNames.isStandby(id) ? ConversionMethod.TEMPORARY_STANDBY : ConversionMethod.IN_PLACE,
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

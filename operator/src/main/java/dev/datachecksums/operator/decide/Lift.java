package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Lifting by Jobs, one after another, until one has lifted: the server is down, or does not let us. */
final class Lift {

    /** Between two lift Jobs; doubled by each. */
    static final Duration AGAIN = Duration.ofSeconds(10);
    /** The longest time between two. */
    static final Duration LONGEST = Duration.ofMinutes(5);
    /** A lift Job without a running pod after so long is made anew: the database's pod may be elsewhere by now. */
    static final Duration START_LIMIT = Duration.ofMinutes(5);
    /** Ended lift Jobs that are left for a person to read. */
    static final int KEPT = 3;

    private static final String MARK = "-lift";

    private final ConversionStatus c;
    private final GivingUp why;
    private final Instant at;
    private final List<JobFacts> jobs;

    Lift(Observation o, ConversionStatus c, GivingUp why) {
        this.c = c;
        this.why = why;
        this.at = o.at();
        this.jobs = jobs(o, c);
    }

    /** The lift Jobs of this try, the newest last. One of an earlier try proves nothing for this one. */
    static List<JobFacts> jobs(Observation o, ConversionStatus c) {
        return o.jobs().stream()
                .filter(j -> j.lift() && number(j) > 0 && j.name().equals(JobNames.lift(c.id(), number(j))))
                .sorted(Comparator.comparing(Lift::number))
                .toList();
    }

    private static int number(JobFacts lift) {
        int mark = lift.name().lastIndexOf(MARK);
        try {
            return mark < 0 ? 0 : Integer.parseInt(lift.name().substring(mark + MARK.length()));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** The next step. A Job copies what it needs from the database's pod, so there has to be one. */
    Verdict decide(boolean pod) {
        if (jobs.isEmpty()) {
            return make(1, pod);
        }
        JobFacts last = jobs.get(jobs.size() - 1);
        if (!last.over()) {
            return waitFor(last);
        }
        Instant next = last.asked().plus(pause(number(last)));
        // Asked for in the future: the clock was set back, and says nothing of how long it has been.
        if (at.isBefore(next) && !at.isBefore(last.asked())) {
            return WayBack.restoring(why, said(last), new Decision.Nothing()).until(next);
        }
        Optional<JobFacts> oldest =
                jobs.stream().filter(j -> j.over() && !j.deleting()).findFirst().filter(j -> jobs.size() > KEPT);
        return oldest.map(j -> WayBack.restoring(why, new Decision.DeleteJob(j.name())))
                .orElseGet(() -> make(number(last) + 1, pod));
    }

    private Verdict make(int n, boolean pod) {
        return pod
                ? WayBack.restoring(why, new Decision.LiftByJob(c, JobNames.lift(c.id(), n)))
                : WayBack.restoring(
                        why,
                        ": the interlock stands, and is lifted as soon as the workload has a pod",
                        new Decision.Nothing());
    }

    private Verdict waitFor(JobFacts job) {
        boolean running = job.pod().map(JobFacts.JobPod::running).orElse(false);
        if (!running && !job.deleting() && at.isAfter(job.asked().plus(START_LIMIT))) {
            return WayBack.restoring(why, new Decision.DeleteJob(job.name()));
        }
        return WayBack.restoring(
                why,
                ": the Job " + job.name() + " lifts the interlock"
                        + job.problem().map(p -> ". It waits: " + p).orElse(""),
                new Decision.Nothing());
    }

    private static String said(JobFacts job) {
        return ": the Job " + job.name() + " could not lift the interlock"
                + job.log().message().map(m -> ": " + m).orElse("") + ". It is tried again";
    }

    private static Duration pause(int tries) {
        Duration wait = AGAIN.multipliedBy(1L << Math.min(10, tries - 1));
        return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }
}

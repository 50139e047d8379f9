package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobLog;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether an offline try stands still: its Job gets no running pod for a reason that is known (no node, no image, refused
 * by admission), or nothing at all has moved for policy.stalledAfter. Only told: what is done about it has its own bounds.
 */
final class Stalls {

    /** A scheduler that says no for so long does not only wait for a moment's room. */
    static final Duration KNOWN_PROBLEM = Duration.ofSeconds(15);

    private Stalls() {}

    static Verdict judge(Observation o, ConversionStatus c, Verdict v) {
        boolean waits = v.decision() instanceof Decision.Nothing
                && (v.phase() == Phase.CONVERTING
                        || v.phase() == Phase.STOPPING
                        || v.phase() == Phase.REWRITING
                        || v.phase() == Phase.STARTING);
        if (!waits) {
            return v;
        }
        Optional<JobFacts> job = o.job(c.id());
        Optional<String> problem = job.filter(
                        j -> j.pod().map(p -> !p.running() && !p.ended()).orElse(true))
                .filter(j -> j.log().last().isEmpty() && !j.finished())
                .filter(j -> Duration.between(j.asked(), o.at()).compareTo(KNOWN_PROBLEM) >= 0)
                .flatMap(JobFacts::problem);
        if (problem.isPresent()) {
            return v.stalled("JobNotStarted", v.message());
        }
        Duration stood = Duration.between(moved(c, job), o.at());
        if (stood.compareTo(Durations.parse(o.spec().policy().stalledAfter())) < 0) {
            return v;
        }
        return v.stalled(
                v.reason(),
                v.message() + ". Nothing has moved for longer than policy.stalledAfter ("
                        + o.spec().policy().stalledAfter() + ")");
    }

    private static Instant moved(ConversionStatus c, Optional<JobFacts> job) {
        Instant started = Times.parse(c.started());
        JobLog log = job.map(JobFacts::log).orElse(JobLog.EMPTY);
        return log.steps().values().stream()
                .map(t -> job.map(j -> j.here(t)).orElse(t))
                .filter(t -> t.isAfter(started))
                .max(Instant::compareTo)
                .orElse(started);
    }
}

package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobLog;
import dev.datachecksums.operator.offline.Step;
import java.util.List;

/** What is special about a try that works on a copy: it leaves a directory and a slot, which somebody has to remove. */
final class Copy {

    private Copy() {}

    static boolean of(ConversionStatus c) {
        return c.method() == ConversionMethod.TEMPORARY_STANDBY;
    }

    /** Whether no directory of a copy can be left: a script has said so, or none has ever run. */
    static boolean cleaned(Observation o, ConversionStatus c) {
        if (!of(c)) {
            return true;
        }
        JobLog log = o.job(c.id()).map(JobFacts::log).orElse(JobLog.EMPTY);
        boolean own =
                log.said(Step.CLEANED) || log.said(Step.DONE) || log.cleaned().orElse(false);
        return own || neverRan(o, c) || Lift.jobs(o, c).stream().anyMatch(Copy::hasCleaned);
    }

    private static boolean hasCleaned(JobFacts lift) {
        return lift.log().said(Step.CLEANED) || lift.log().cleaned().orElse(false);
    }

    private static boolean neverRan(Observation o, ConversionStatus c) {
        return o.job(c.id())
                .map(j -> j.log().last().isEmpty()
                        && j.pod().isEmpty()
                        && j.problem().isPresent())
                .orElse(false);
    }

    /** A server that serves is not kept waiting for ever for the removal of a directory: so many tries are made. */
    static boolean cleanedOrHopeless(Observation o, ConversionStatus c) {
        List<JobFacts> lifts = Lift.jobs(o, c);
        return cleaned(o, c) || lifts.stream().filter(JobFacts::over).count() >= Lift.KEPT;
    }
}

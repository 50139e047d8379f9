package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.OnlineView;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.online.OnlineFacts;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Step;
import java.time.Duration;

/**
 * A run that enables is given up: the server is told to disable until it says off, or on if it was done already, and nobody is at work
 * any more. A run that disables is let go.
 */
final class OnlineWayBack {

    /** Told again after so long, should the first have come to nothing. */
    private static final Duration AGAIN = Duration.ofSeconds(10);

    Verdict decide(Observation o, ConversionStatus c, OnlineView view, GivingUp why) {
        OnlineFacts f = view.facts();
        boolean atWork = f.progress().launcher().isPresent();
        boolean settled = f.checksums() == ChecksumState.OFF || f.checksums() == ChecksumState.ON;
        if (c.to() == DesiredState.DISABLED || (settled && !atWork)) {
            return OnlineRun.end(o, c, why);
        }
        boolean disabling = f.checksums() == ChecksumState.INPROGRESS_OFF
                || f.progress()
                        .launcher()
                        .filter(l -> l.process().step() == Step.DISABLING)
                        .isPresent();
        boolean told = RunMemory.abortedSince(c, o.at().minus(AGAIN));
        if (told || (atWork && disabling)) {
            return Verdict.of(
                            Phase.CONVERTING,
                            why.reason(),
                            why.message() + "; it is on its way to off",
                            new Decision.Nothing())
                    .until(o.at().plus(OnlineRun.LOOK));
        }
        return Verdict.of(
                Phase.CONVERTING,
                why.reason(),
                why.message(),
                new Decision.DisableOnline(RunMemory.aborted(c, o.at())));
    }
}

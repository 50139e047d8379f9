package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.ObservedState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobLog;
import dev.datachecksums.operator.offline.Step;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The server says that a try has converted it: the end of the try, whatever became of its Job. */
final class Converted {

    private Converted() {}

    /**
     * Whether a try that was given up has converted all the same: its Job was killed, or told to stop, when the new state was
     * already in the control file. What is taken up without being remembered may be older: there only the Job's word counts.
     */
    static boolean happened(Observation o, ConversionStatus c, GivingUp why, ServerFacts server) {
        boolean remembered = !why.reason().equals(GivingUp.REMAINS);
        boolean said = o.job(c.id()).map(JobFacts::log).orElse(JobLog.EMPTY).turned();
        return AtRest.is(server.checksums(), c.to()) && (remembered || said);
    }

    /** Records it, and says what the server says. */
    static Verdict verdict(Observation o, ConversionStatus c, Optional<JobFacts> job, ServerFacts server) {
        Decision complete = new Decision.Complete(c, result(o, c, job, server));
        if (!Nodes.all(o, c.to())) {
            // Of several nodes this one is done; nothing is Ready before the last of them.
            return Verdict.of(
                    o.spec().suspended() ? Phase.SUSPENDED : Phase.CONVERTING,
                    "NodeConverted",
                    "the server says: data_checksums " + AtRest.word(server.checksums()) + Nodes.words(o, c.to()),
                    complete);
        }
        boolean asDeclared = c.to() == o.spec().state();
        Phase phase = o.spec().suspended() ? Phase.SUSPENDED : asDeclared ? Phase.CONVERGED : Phase.STARTING;
        return Verdict.of(
                phase,
                asDeclared ? "Converged" : GivingUp.STATE_FLIPPED,
                "PostgreSQL " + server.serverVersion() + " says: data_checksums " + AtRest.word(server.checksums())
                        + (asDeclared ? "" : "; spec.state was changed meanwhile"),
                complete);
    }

    /** Since when the server is away. The operator may have died between the stop and its record: then by the Job's word. */
    static Instant since(Observation o, ConversionStatus c, Optional<JobFacts> job) {
        return c.stopped() != null
                ? Times.parse(c.stopped())
                : job.flatMap(j -> j.said(Step.STOPPED)
                                .or(() -> j.said(Step.ARMED))
                                .map(j::here))
                        .orElse(o.at());
    }

    private static LastConversion result(
            Observation o, ConversionStatus c, Optional<JobFacts> job, ServerFacts server) {
        Instant first = c.restored() == null ? server.observedAt() : Times.parse(c.restored());
        Duration outage = Duration.between(since(o, c, job), first);
        boolean on = c.to() == DesiredState.ENABLED;
        return new LastConversion(
                on ? ObservedState.OFF : ObservedState.ON,
                on ? ObservedState.ON : ObservedState.OFF,
                c.method(),
                Times.seconds(Times.parse(c.started())),
                Times.seconds(server.observedAt()),
                outage.isNegative() ? null : Durations.format(outage),
                c.bytes(),
                Attempts.count(Attempts.of(o)) + 1);
    }
}

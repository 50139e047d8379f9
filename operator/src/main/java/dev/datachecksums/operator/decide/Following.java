package dev.datachecksums.operator.decide;

import static dev.datachecksums.operator.decide.UnderWay.giveUp;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobLog;
import dev.datachecksums.operator.offline.Step;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A copy is made, converted, and follows the server until its moment has come. It is dear and costs the server nothing, so what will
 * pass by itself is waited for; only what makes it worthless ends it.
 */
final class Following {

    /** A script that says nothing for so long is stuck: it tells of its progress every few seconds. */
    static final Duration SILENCE_LIMIT = Duration.ofMinutes(15);
    /** The script looks for the interlock between two rounds of replay, and a round takes its time. */
    static final Duration ARMED_LIMIT = Duration.ofSeconds(75);

    private final Gate gate;

    Following(Gate gate) {
        this.gate = gate;
    }

    /** Not ready yet, but at work. */
    static Verdict preparing(Observation o, ConversionStatus c, JobFacts job) {
        Instant word = job.log().last().flatMap(job.log()::at).map(job::here).orElse(job.asked());
        if (o.at().isAfter(word.plus(SILENCE_LIMIT))) {
            return giveUp(
                    c,
                    "JobSilent",
                    "the Job " + job.name() + " has said nothing for " + Durations.format(SILENCE_LIMIT)
                            + ": see its pod, its node and its volume");
        }
        return Verdict.of(
                Phase.CONVERTING,
                reason(job.log()),
                words(job.log()) + "; the server goes on serving",
                new Decision.Nothing());
    }

    private static String reason(JobLog log) {
        return log.said(Step.COPYCONVERTED) ? "Following" : log.said(Step.COPIED) ? "ConvertingCopy" : "Copying";
    }

    private static String words(JobLog log) {
        if (log.said(Step.COPYCONVERTED)) {
            return "the converted copy catches up with the server";
        }
        if (log.said(Step.RECOVERED)) {
            return "pg_checksums works on the copy";
        }
        return log.said(Step.COPIED) ? "the copy is recovered" : "the data directory is copied";
    }

    /** Ready, and why it does not take over now. */
    Optional<Verdict> notYet(Observation o, ConversionStatus c, JobFacts job, ServerFacts server) {
        if (server.interlockPresent().value().orElse(false)) {
            return Optional.empty();
        }
        if (o.conflict().isPresent()) {
            return Optional.of(giveUp(
                    c, GivingUp.CONFLICT, "the older resource " + o.conflict().get() + " declares the same server"));
        }
        List<Finding> worthless = gate.askStandby(o).stream()
                .filter(f -> f instanceof Finding.Block && !f.check().equals(ROOM))
                .toList();
        if (!worthless.isEmpty()) {
            Finding first = worthless.get(0);
            return Optional.of(giveUp(
                    c,
                    GivingUp.GATE_CLOSED,
                    "the copy is worth nothing any more: " + first.check() + ": " + first.words()));
        }
        List<Finding> findings = new ArrayList<>(gate.askServer(o));
        gate.askStandby(o).stream().filter(Finding.Wait.class::isInstance).forEach(findings::add);
        // Of the offline checks the estimate is another road's: the copy that is there has taken the room for another
        // one.
        gate.askOffline(o).stream().filter(f -> !f.check().equals("OutageFits")).forEach(findings::add);
        if (!findings.isEmpty()) {
            Finding first = findings.get(0);
            boolean hard = findings.stream().anyMatch(Finding.Block.class::isInstance);
            return Optional.of(new Verdict(
                    hard ? Phase.BLOCKED : Phase.WAITING,
                    first.check(),
                    "the converted copy is ready and follows; it does not take over yet: " + first.words(),
                    new Decision.Nothing(),
                    Optional.empty(),
                    findings,
                    Optional.empty()));
        }
        return window(o);
    }

    /** Checked before the copy was made; now it is there. */
    private static final String ROOM = "RoomForCopy";

    private static Optional<Verdict> window(Observation o) {
        Windows.State window = Windows.at(o.spec().policy().window(), o.at());
        if (window instanceof Windows.State.Open open && open.fits(o.at(), Planner.RESTART)) {
            return Optional.empty();
        }
        Optional<Instant> opens = window instanceof Windows.State.Closed closed ? closed.opens() : Optional.empty();
        Verdict waiting = Verdict.of(
                Phase.WAITING,
                "WindowClosed",
                "the converted copy is ready and follows the server; it takes over when the window opens"
                        + opens.map(t -> " at " + t).orElse(""),
                new Decision.Nothing());
        return Optional.of(opens.map(waiting::until).orElse(waiting));
    }
}

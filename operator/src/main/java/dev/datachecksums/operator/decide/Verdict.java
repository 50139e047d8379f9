package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.Phase;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The whole outcome of deciding: what to do, and how to report it.
 *
 * @param phase the phase to report
 * @param reason one CamelCase word: the reason of Ready, of the event, of the runbook
 * @param message what, why and what to do
 * @param decision the one thing to do
 * @param plan what would be done or is being done
 * @param findings what the gate said no to
 * @param until when something is due at the latest, such as the opening of a window or the end of a back-off
 * @param stalled whether it is under way but stands still
 */
public record Verdict(
        Phase phase,
        String reason,
        String message,
        Decision decision,
        Optional<Plan> plan,
        List<Finding> findings,
        Optional<Instant> until,
        boolean stalled) {

    /** A verdict of which nothing stands still. */
    public Verdict(
            Phase phase,
            String reason,
            String message,
            Decision decision,
            Optional<Plan> plan,
            List<Finding> findings,
            Optional<Instant> until) {
        this(phase, reason, message, decision, plan, findings, until, false);
    }

    /** A verdict without plan, findings and deadline. */
    public static Verdict of(Phase phase, String reason, String message, Decision decision) {
        return new Verdict(phase, reason, message, decision, Optional.empty(), List.of(), Optional.empty());
    }

    /** Whether anything is done. */
    public boolean acts() {
        return !(decision instanceof Decision.Nothing);
    }

    Verdict with(Plan p) {
        return new Verdict(phase, reason, message, decision, Optional.of(p), findings, until, stalled);
    }

    /** The same in other words. */
    Verdict saying(String words) {
        return new Verdict(phase, reason, words, decision, plan, findings, until, stalled);
    }

    /** The same, with something due then. */
    Verdict until(Instant t) {
        return new Verdict(phase, reason, message, decision, plan, findings, Optional.of(t), stalled);
    }

    /** The same, but it stands still, for that reason. */
    Verdict stalled(String why, String words) {
        return new Verdict(phase, why, words, decision, plan, findings, until, true);
    }

    /** The same, waiting for what was found; stalled if it has done so for too long. */
    Verdict waitingFor(List<Finding> found, boolean tooLong) {
        return new Verdict(phase, reason, message, decision, plan, found, until, tooLong);
    }
}

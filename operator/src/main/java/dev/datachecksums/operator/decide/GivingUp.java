package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import java.util.Optional;
import java.util.Set;

/**
 * Why a try is given up, as it stands in {@code status.conversion.givingUp}: {@code Reason: message}. It is written
 * before anything is undone, so that an operator that starts anew takes the same way.
 */
record GivingUp(String reason, String message) {

    static final String SUSPENDED = "Suspended";
    static final String DELETED = "Deleted";
    static final String STRATEGY_CHANGED = "StrategyChanged";
    static final String STATE_FLIPPED = "StateFlipped";
    static final String GATE_CLOSED = "GateClosed";
    static final String POD_REPLACED = "PodReplaced";
    static final String REMAINS = "RemainsFound";
    static final String CONFLICT = "Conflict";
    static final String SESSION_LOST = "SessionLost";
    static final String UNSCHEDULABLE = "Unschedulable";
    static final String SCALED_AWAY = "ScaledAway";

    /** The user asked for it. */
    private static final Set<String> ASKED = Set.of(SUSPENDED, DELETED, STATE_FLIPPED, STRATEGY_CHANGED);
    /** Nobody's failure: the next try waits a moment, and no try is counted. */
    private static final Set<String> INNOCENT =
            Set.of(GATE_CLOSED, POD_REPLACED, REMAINS, CONFLICT, UNSCHEDULABLE, SCALED_AWAY, SESSION_LOST);

    /** The Job's words are sentences; more is said behind them. */
    GivingUp {
        String words = message.strip();
        message = words.endsWith(".") ? words.substring(0, words.length() - 1) : words;
    }

    static Optional<GivingUp> of(ConversionStatus c) {
        String text = c.givingUp();
        if (text == null) {
            return Optional.empty();
        }
        int colon = text.indexOf(": ");
        return Optional.of(
                colon < 0
                        ? new GivingUp(text, text)
                        : new GivingUp(text.substring(0, colon), text.substring(colon + 2)));
    }

    boolean asked() {
        return ASKED.contains(reason);
    }

    boolean counts() {
        return !asked() && !INNOCENT.contains(reason);
    }

    @Override
    public String toString() {
        return reason + ": " + message;
    }
}

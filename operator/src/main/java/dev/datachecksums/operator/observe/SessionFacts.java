package dev.datachecksums.operator.observe;

import java.time.Instant;
import java.util.Optional;

/**
 * The superuser session that is held from before the stop, so that the fast shutdown can be sent by SQL. It lives in
 * this process only: after a restart of the operator it is {@link State#NONE} again, and is opened anew.
 *
 * @param since when it entered its state
 * @param interlocked when the first interlock was written and verified through it
 * @param problem why it failed
 */
public record SessionFacts(State state, Instant since, Optional<Instant> interlocked, Optional<String> problem) {

    /** Where the session stands. */
    public enum State {
        /** There is none. */
        NONE,
        /** It is being opened, and runs the CHECKPOINT that makes the shutdown short. */
        PREPARING,
        /** Open, and the CHECKPOINT has ended. */
        READY,
        /** It broke, or could not be opened; see problem. */
        BROKEN
    }

    /** No session. */
    public static SessionFacts none(Instant at) {
        return new SessionFacts(State.NONE, at, Optional.empty(), Optional.empty());
    }
}

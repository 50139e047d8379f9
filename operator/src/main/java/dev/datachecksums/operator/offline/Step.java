package dev.datachecksums.operator.offline;

import java.util.Locale;
import java.util.Optional;

/** The steps that the Job's script says, one JSON object a line, in the order of the road. */
public enum Step {
    /** The script runs. */
    STARTED,
    /** Leftovers of a killed run were put back. */
    RESTORED,
    /** Tools and directory are checked; it waits for the interlock. Nothing was touched. */
    READY,
    /** It has seen the interlock; from here on every exit lifts it. */
    ARMED,
    /** postmaster.pid has gone. */
    STOPPED,
    /** pg_checksums works. Carries bytes. */
    REWRITING,
    /** The control file says the wanted state. */
    CONVERTED,
    /** Both interlocks are lifted: a postmaster may start. */
    LIFTED,
    /** The end, well. */
    DONE,
    /** The end: refused, trying again is pointless until something changes. */
    REFUSED,
    /** The end: failed; may be tried again. */
    FAILED;

    /** Reads the script's word; a step that is not known here is empty. */
    public static Optional<Step> of(String word) {
        for (Step s : values()) {
            if (s.name().equals(word.toUpperCase(Locale.ROOT))) {
                return Optional.of(s);
            }
        }
        return Optional.empty();
    }
}

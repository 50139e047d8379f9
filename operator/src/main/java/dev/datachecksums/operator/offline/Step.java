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
    /** Of a copy: files are copied. Carries bytes. */
    COPYING,
    /** The copy is complete. */
    COPIED,
    /** The copy has been recovered to a consistent state. */
    RECOVERED,
    /** pg_checksums works on the copy. Carries bytes. */
    CONVERTING,
    /** The copy has checksums. */
    COPYCONVERTED,
    /** The copy replays what the server has written meanwhile. Carries the bytes that it is behind. */
    FOLLOWING,
    /** pg_checksums checks the copy. Carries bytes. */
    VERIFYING,
    /** It has seen the interlock; from here on every exit lifts it. */
    ARMED,
    /** postmaster.pid has gone. */
    STOPPED,
    /** Of a copy: it has the server's last WAL, and slots. */
    HANDEDOVER,
    /** The copy has replayed the server's last checkpoint, and says so: it is the server's equal. */
    PROVEN,
    /** The copy is the data directory now: forward only. */
    SWAPPED,
    /** The new server has said on. */
    SERVING,
    /** Nothing of the copy is left: no directory, no slot. */
    CLEANED,
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

package dev.datachecksums.operator.postgres;

/** What {@code SHOW data_checksums} says. INPROGRESS_OFF: being disabled; INPROGRESS_ON: being enabled. */
public enum ChecksumState {
    OFF,
    ON,
    INPROGRESS_ON,
    INPROGRESS_OFF,
    /** A word that this operator does not know. */
    UNKNOWN;

    /** The state that {@code SHOW data_checksums} shows by this word. */
    public static ChecksumState of(String shown) {
        return switch (shown) {
            case "off" -> OFF;
            case "on" -> ON;
            case "inprogress-on" -> INPROGRESS_ON;
            case "inprogress-off" -> INPROGRESS_OFF;
            default -> UNKNOWN;
        };
    }
}

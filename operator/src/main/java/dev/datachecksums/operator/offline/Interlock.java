package dev.datachecksums.operator.offline;

/** The first interlock: a line with a parameter that no server knows, which makes every postmaster refuse to start. */
public final class Interlock {

    /** The parameter. It has no dot: a dotted name would be taken as one of an extension, and the server would start. */
    public static final String PARAMETER = "data_checksums_conversion_in_progress";

    private Interlock() {}
}

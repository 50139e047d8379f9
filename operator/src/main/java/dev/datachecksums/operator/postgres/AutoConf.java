package dev.datachecksums.operator.postgres;

/** What postgresql.auto.conf is, in which the interlock has to stand: a starting server skips what is no plain file it can read. */
public enum AutoConf {
    /** A plain file that the server reads. */
    PLAIN,
    /** A symbolic link, or something else: a server might start in spite of the interlock. */
    NOT_PLAIN,
    UNREADABLE,
    MISSING
}

package dev.datachecksums.operator.postgres;

import java.util.regex.Pattern;

/**
 * A line of postgresql.auto.conf that every postmaster refuses to start with, and names in its log: an unknown parameter without a dot.
 * A running server goes on, but takes no change of configuration until the line is lifted.
 *
 * @param writer who wrote it: what a person reads who finds it
 */
public record Interlock(String writer) {
    /** The parameter that no server knows. */
    public static final String PARAMETER = "data_checksums_conversion_in_progress";

    /**
     * A postmaster that finds no pg_wal, in any language: no file in it, and no other trouble with it, which a colon tells. The line may have
     * gone by other hands, and pg_wal still be where a conversion has put it.
     */
    private static final Pattern NO_WAL = Pattern.compile("(?<![\\w/.-])pg_wal(?=[^\\w/.:\\n-][^:\\n])");

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9 ._/:=-]{1,200}");

    /** @throws IllegalArgumentException if the writer holds anything that a shell or a configuration file could read otherwise */
    public Interlock {
        if (!PLAIN.matcher(writer).matches()) {
            throw new IllegalArgumentException(
                    "letters, digits, space and ._/:=- name the interlock's writer, not: " + writer);
        }
    }

    /** Whether the log of a server that does not come up says that an interlock keeps it from starting: the line, or a pg_wal that is away. */
    public static boolean refusesIn(String log) {
        return log.contains(PARAMETER) || NO_WAL.matcher(log).find();
    }

    /** The line, without its newline. */
    public String line() {
        return PARAMETER + " = '" + writer + "'";
    }
}

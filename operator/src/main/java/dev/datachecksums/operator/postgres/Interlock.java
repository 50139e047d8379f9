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

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9 ._/:=-]{1,200}");

    /** @throws IllegalArgumentException if the writer holds anything that a shell or a configuration file could read otherwise */
    public Interlock {
        if (!PLAIN.matcher(writer).matches()) {
            throw new IllegalArgumentException(
                    "letters, digits, space and ._/:=- name the interlock's writer, not: " + writer);
        }
    }

    /** The line, without its newline. */
    public String line() {
        return PARAMETER + " = '" + writer + "'";
    }
}

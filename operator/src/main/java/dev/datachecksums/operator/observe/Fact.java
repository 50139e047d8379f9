package dev.datachecksums.operator.observe;

import java.util.Optional;

/**
 * Something that was looked at: its value, or why there is none. Every source of an observation may be missing, and
 * says so.
 */
public sealed interface Fact<T> {

    /** It was seen. */
    record Known<T>(T it) implements Fact<T> {}

    /**
     * It could not be seen.
     *
     * @param reason one CamelCase word, fit for a condition
     * @param message what and why, for a person; never a password, never a stack trace
     * @param remedy what to do
     */
    record Missing<T>(String reason, String message, String remedy) implements Fact<T> {}

    /** The value, if it was seen. */
    default Optional<T> seen() {
        return this instanceof Known<T> k ? Optional.of(k.it()) : Optional.empty();
    }

    /** Seen. */
    static <T> Fact<T> known(T value) {
        return new Known<>(value);
    }

    /** Not seen. */
    static <T> Fact<T> missing(String reason, String message, String remedy) {
        return new Missing<>(reason, message, remedy);
    }
}

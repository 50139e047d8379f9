package dev.datachecksums.operator.postgres;

import java.util.Optional;

/** What a server answered to one question: a value, or none for a reason that a user can read. */
public sealed interface Answer<T> {
    record Given<T>(T it) implements Answer<T> {}

    /**
     * There is none.
     *
     * @param reason such as a right that the role lacks, or something that this version or system does not have
     */
    record Absent<T>(String reason) implements Answer<T> {}

    static <T> Answer<T> given(T value) {
        return new Given<>(value);
    }

    static <T> Answer<T> absent(String reason) {
        return new Absent<>(reason);
    }

    default Optional<T> value() {
        return this instanceof Given<T> answer ? Optional.of(answer.it()) : Optional.empty();
    }

    default Optional<String> whyAbsent() {
        return this instanceof Absent<T> answer ? Optional.of(answer.reason()) : Optional.empty();
    }
}

package dev.datachecksums.operator.status;

import dev.datachecksums.api.v1alpha1.StatusCondition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Builds the list of conditions. {@code lastTransitionTime} moves only when the status flips, so that a report in which
 * nothing changed equals the last one.
 */
final class Conditions {

    private final List<StatusCondition> before;
    private final long generation;
    private final Instant now;
    private final List<StatusCondition> after = new ArrayList<>();

    Conditions(@Nullable List<StatusCondition> before, long generation, Instant now) {
        this.before = before == null ? List.of() : before;
        this.generation = generation;
        this.now = now;
    }

    /** What a condition may say. */
    enum Is {
        TRUE("True"),
        FALSE("False"),
        UNKNOWN("Unknown");

        final String word;

        Is(String word) {
            this.word = word;
        }

        static Is of(boolean b) {
            return b ? TRUE : FALSE;
        }
    }

    Conditions set(String type, Is is, String reason, String message) {
        String since = find(before, type)
                .filter(c -> c.status().equals(is.word))
                .map(StatusCondition::lastTransitionTime)
                .orElseGet(() -> Times.seconds(now));
        after.add(new StatusCondition(type, is.word, generation, since, reason, message));
        return this;
    }

    /** Leaves a condition as it was said last: nothing new is known about it. */
    Conditions keep(String type) {
        find(before, type).ifPresent(after::add);
        return this;
    }

    List<StatusCondition> list() {
        return List.copyOf(after);
    }

    static Optional<StatusCondition> find(@Nullable List<StatusCondition> conditions, String type) {
        return conditions == null
                ? Optional.empty()
                : conditions.stream().filter(c -> c.type().equals(type)).findFirst();
    }
}

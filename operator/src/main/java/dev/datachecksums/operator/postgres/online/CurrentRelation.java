package dev.datachecksums.operator.postgres.online;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The relation that a worker is at, from its words {@code processing: public.orders (main, 22272 blocks)}.
 *
 * @param name with its schema, unquoted
 * @param fork main, fsm, vm or init
 */
public record CurrentRelation(String name, String fork) {
    private static final Pattern WORDS = Pattern.compile("(?s)processing: (.+) \\((\\w+), \\d+ blocks\\)");

    static Optional<CurrentRelation> of(@Nullable String activity) {
        if (activity == null) {
            return Optional.empty();
        }
        Matcher m = WORDS.matcher(activity);
        return m.matches() ? Optional.of(new CurrentRelation(m.group(1), m.group(2))) : Optional.empty();
    }

    /** Whether the relation's rows are being gone through, and not what belongs to it. */
    public boolean main() {
        return fork.equals("main");
    }
}

package dev.datachecksums.e2e.faults;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What must never be found, of one run. */
final class Findings {
    /** What is counted. */
    enum Wrong {
        WRITES_LOST("writes lost"),
        LEFT_DOWN("left down"),
        FALSE_READY("false Ready"),
        LEFT_BEHIND("left behind"),
        OTHERS_TOUCHED("others touched"),
        /** The declared state was not reached in the end. */
        NOT_CONVERGED("not converged");

        final String words;

        Wrong(String words) {
            this.words = words;
        }
    }

    private final Map<Wrong, List<String>> found = new EnumMap<>(Wrong.class);

    void add(Wrong wrong, String what) {
        found.computeIfAbsent(wrong, w -> new ArrayList<>()).add(what);
    }

    void addAll(Wrong wrong, List<String> what) {
        what.forEach(w -> add(wrong, w));
    }

    boolean none() {
        return found.isEmpty();
    }

    int of(Wrong wrong) {
        return found.getOrDefault(wrong, List.of()).size();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        found.forEach((wrong, all) -> all.forEach(
                what -> text.append(wrong.words).append(": ").append(what).append('\n')));
        return text.toString().strip();
    }
}

package dev.datachecksums.e2e.demo;

import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.api.v1alpha1.ProgressStatus;
import dev.datachecksums.api.v1alpha1.StatusCondition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the person sees: a line for each change of the status, and a progress bar that stays on its line in a terminal. */
final class Screen {

    private static final int BAR = 30;
    private static final long MIB = 1L << 20;

    private final PrintStream out;
    private final boolean terminal;
    private final long began = System.nanoTime();
    private String last = "";
    private String lastBar = "";
    private boolean barOpen;
    private Supplier<String> beside = () -> "";

    Screen(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** What each bar is followed by from now on. */
    void beside(Supplier<String> words) {
        beside = words;
    }

    /** A line of the demo itself. */
    void say(String line) {
        closeBar();
        out.println(line);
        out.flush();
    }

    /** The status as it is now; prints only what changed. */
    void show(DataChecksumsStatus status) {
        String head = head(status);
        Optional<String> bar = bar(status).map(b -> b + beside.get());
        if (!head.equals(last)) {
            closeBar();
            last = head;
            out.println(stamp() + head);
        }
        if (bar.isPresent() && terminal) {
            out.print("\r" + stamp() + bar.get() + "\u001b[K");
            barOpen = true;
        } else if (bar.isPresent() && !bar.get().equals(lastBar)) {
            out.println(stamp() + bar.get());
        }
        lastBar = bar.orElse("");
        out.flush();
    }

    private void closeBar() {
        if (barOpen) {
            out.println();
            barOpen = false;
        }
    }

    private String stamp() {
        return String.format(Locale.ROOT, "%6.1f s  ", (System.nanoTime() - began) / 1e9);
    }

    private static String head(DataChecksumsStatus s) {
        String reason = s.conditions() == null
                ? ""
                : s.conditions().stream()
                        .filter(c -> c.type().equals("Ready"))
                        .map(StatusCondition::message)
                        .findFirst()
                        .orElse("");
        return String.format(Locale.ROOT, "%-10s state %-8s %s", word(s.phase()), word(s.state()), reason);
    }

    /** As kubectl prints it: REWRITING is Rewriting. */
    private static String word(@Nullable Object constant) {
        return constant == null
                ? ""
                : Serialization.asJson(constant).replace("\"", "").strip();
    }

    private static Optional<String> bar(DataChecksumsStatus s) {
        ProgressStatus p = s.progress();
        if (p == null || p.percent() == null || s.phase() == Phase.CONVERGED) {
            return Optional.empty();
        }
        int full = p.percent() * BAR / 100;
        StringBuilder b = new StringBuilder("[")
                .append("#".repeat(full))
                .append(".".repeat(BAR - full))
                .append("] ");
        b.append(p.percent()).append('%');
        if (p.bytesDone() != null && p.bytesTotal() != null) {
            b.append("  ")
                    .append(p.bytesDone() / MIB)
                    .append(" of ")
                    .append(p.bytesTotal() / MIB)
                    .append(" MiB");
        }
        if (p.bytesPerSecond() != null) {
            b.append("  ").append(p.bytesPerSecond() / MIB).append(" MiB/s");
        }
        if (p.remaining() != null) {
            b.append("  ETA ").append(p.remaining());
        }
        if (p.waitingOn() != null) {
            b.append("  waits for ").append(p.waitingOn());
        }
        return Optional.of(b.toString());
    }

    static String millis(Duration d) {
        return d.toMillis() + " ms";
    }
}

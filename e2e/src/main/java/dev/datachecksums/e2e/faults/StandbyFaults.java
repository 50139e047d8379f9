package dev.datachecksums.e2e.faults;

import static java.util.Map.entry;

import dev.datachecksums.e2e.Arguments;
import dev.datachecksums.e2e.faults.Findings.Wrong;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Kills all over a TemporaryStandby: whoever works on it, at every part of its script, one after the other on one server. */
public final class StandbyFaults {
    private static final Map<String, String> OPTIONS = Map.ofEntries(
            entry("kills", "60"),
            entry("from", "1"),
            entry("to", "1000"),
            entry("seed", "1"),
            entry("megabytes", "60"),
            entry("only", ""),
            entry("way", "atomic"),
            entry("slow", "60"));

    /** Words of the script from the stop on, and before the directories have changed places. */
    private static final List<String> STOPPED = List.of("armed", "stopped", "handedOver", "proven");

    private final Arguments options;

    private StandbyFaults(Arguments options) {
        this.options = options;
    }

    /**
     * The program behind {@code make standby-faults}. Exit status 1 if something was found that must never be.
     *
     * <p>{@code --kills=60}, spread over all steps by {@code --seed=1}; {@code --from=21 --to=40}: those of them, so that a long run can be made
     * in slices; {@code --only=WORDS}: those whose description holds the words; {@code --way=journal}: the children of the directories change
     * places one by one; {@code --megabytes=60} of data; {@code --slow=60}: of an outage of more seconds the operator's log is printed.
     */
    public static void main(String[] args) throws Exception {
        System.exit(new StandbyFaults(Arguments.orExit(args, OPTIONS)).run() ? 0 : 1);
    }

    private boolean run() throws Exception {
        List<Result> results = new ArrayList<>();
        Map<String, Object> offline = Map.of("strategy", "TemporaryStandby", "minFreeSpace", "100Mi");
        try (World world = new World(
                options.number("megabytes"), offline, options.text("way").equals("journal"))) {
            Run run = new Run(world);
            List<Point> points = run.record(Road.ON, null);
            List<Fault> all =
                    new FaultPlan(Map.of(Road.ON, points)).kills(options.number("seed"), options.number("kills"));
            System.out.printf(
                    "%d calls that change something, %d of them programs of the script; %d kills, seed %d%n",
                    points.size(),
                    points.stream().filter(p -> p.seam() == Seam.SCRIPT).count(),
                    all.size(),
                    options.number("seed"));
            System.out.println(head());
            for (int i = options.number("from"); i <= Math.min(options.number("to"), all.size()); i++) {
                Fault fault = all.get(i - 1);
                if (fault.toString().contains(options.text("only"))) {
                    Result result = run.inject(fault, points.get(0));
                    results.add(result);
                    System.out.println(row(i, result));
                }
            }
        }
        System.out.println(summary(results));
        return results.stream().allMatch(r -> r.findings().none());
    }

    private static String head() {
        return String.format(
                "%3s  %-14s  %-26s  %-58s  %8s  %4s  %s", "no", "script said", "fault", "at", "outage", "lost", "left");
    }

    private String row(int number, Result r) {
        Fault f = r.fault();
        String at = f.side().name().toLowerCase(Locale.ROOT) + " " + f.point();
        boolean slow = r.outage().toSeconds() >= options.number("slow");
        String left = (r.findings().none() ? "nothing" : r.findings().toString())
                + (slow || !r.findings().none() ? "\n" + r.log() : "");
        return String.format(
                Locale.ROOT,
                "%3d  %-14s  %-26s  %-58s  %6.1f s  %4d  %s",
                number,
                r.during(),
                f.kind(),
                at.substring(0, Math.min(58, at.length())),
                r.outage().toMillis() / 1000.0,
                r.findings().of(Wrong.WRITES_LOST),
                r.struck() ? left : "nobody was there to be killed");
    }

    private static String summary(List<Result> results) {
        List<Result> struck = results.stream().filter(Result::struck).toList();
        Map<Wrong, Integer> wrong = new EnumMap<>(Wrong.class);
        for (Wrong w : Wrong.values()) {
            wrong.put(w, struck.stream().mapToInt(r -> r.findings().of(w)).sum());
        }
        StringBuilder text = new StringBuilder(struck.size() + " kills");
        wrong.forEach((w, n) -> text.append(", ").append(w.words).append(' ').append(n));
        text.append(String.format(
                Locale.ROOT,
                "; the longest outage %.1f s, after a kill between stop and exchange %.1f s",
                longest(struck),
                longest(struck.stream()
                        .filter(r -> STOPPED.contains(r.during()))
                        .toList())));
        return text.toString();
    }

    private static double longest(List<Result> results) {
        return results.stream()
                        .map(Result::outage)
                        .max(Comparator.naturalOrder())
                        .orElse(Duration.ZERO)
                        .toMillis()
                / 1000.0;
    }
}

package dev.datachecksums.e2e.faults;

import dev.datachecksums.e2e.faults.Findings.Wrong;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Kills all over a TemporaryStandby: whoever works on it, at every part of its script, one after the other on one server. */
public final class StandbyFaults {
    private static final Map<String, String> OPTIONS = Map.of(
            "kills", "60", "from", "1", "to", "1000", "seed", "1", "megabytes", "60", "only", "", "way", "atomic");

    /** Words of the script from the stop on, and before the directories have changed places. */
    private static final List<String> STOPPED = List.of("armed", "stopped", "handedOver", "proven");

    private final Map<String, String> options;

    private StandbyFaults(Map<String, String> options) {
        this.options = options;
    }

    /**
     * The program behind {@code make standby-faults}. Exit status 1 if something was found that must never be.
     *
     * <p>{@code --kills=60}, spread over all steps by {@code --seed=1}; {@code --from=21 --to=40}: those of them, so that a long run can be made
     * in slices; {@code --only=WORDS}: those whose description holds the words; {@code --way=journal}: the children of the directories change
     * places one by one; {@code --megabytes=60} of data.
     */
    public static void main(String[] args) throws Exception {
        Map<String, String> options = new HashMap<>(OPTIONS);
        for (String arg : args) {
            String[] parts = arg.replaceFirst("^--", "").split("=", 2);
            if (parts.length != 2 || options.replace(parts[0], parts[1]) == null) {
                System.err.println("unknown " + arg + "; known are, each as --NAME=VALUE: " + OPTIONS);
                System.exit(2);
            }
        }
        System.exit(new StandbyFaults(options).run() ? 0 : 1);
    }

    private int number(String name) {
        return Integer.parseInt(options.getOrDefault(name, ""));
    }

    private boolean run() throws Exception {
        List<Result> results = new ArrayList<>();
        Map<String, Object> offline = Map.of("strategy", "TemporaryStandby", "minFreeSpace", "100Mi");
        try (World world = new World(
                number("megabytes"), offline, options.getOrDefault("way", "").equals("journal"))) {
            Run run = new Run(world);
            List<Point> points = run.record(Road.ON, null);
            List<Fault> all = new FaultPlan(Map.of(Road.ON, points)).kills(number("seed"), number("kills"));
            System.out.printf(
                    "%d calls that change something, %d of them programs of the script; %d kills, seed %d%n",
                    points.size(),
                    points.stream().filter(p -> p.seam() == Seam.SCRIPT).count(),
                    all.size(),
                    number("seed"));
            System.out.println(head());
            for (int i = number("from"); i <= Math.min(number("to"), all.size()); i++) {
                Fault fault = all.get(i - 1);
                if (fault.toString().contains(options.getOrDefault("only", ""))) {
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

    private static String row(int number, Result r) {
        Fault f = r.fault();
        String at = f.side().name().toLowerCase(Locale.ROOT) + " " + f.point();
        String left = r.findings().none() ? "nothing" : r.findings() + "\n" + r.log();
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

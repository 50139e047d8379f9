package dev.datachecksums.e2e.faults;

import dev.datachecksums.e2e.faults.Findings.Wrong;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What is printed in the end. */
final class FaultTable {
    private final List<Result> results;
    private final Map<Road, List<Point>> points;
    private final Duration took;

    FaultTable(List<Result> results, Map<Road, List<Point>> points, Duration took) {
        this.results = List.copyOf(results);
        this.points = Map.copyOf(points);
        this.took = took;
    }

    List<Result> wrong() {
        return results.stream().filter(r -> !r.findings().none()).toList();
    }

    /** How many faults were injected. */
    long struck() {
        return results.stream().filter(Result::struck).count();
    }

    String write() {
        StringBuilder text = new StringBuilder();
        text.append(String.format("%-28s", "fault"));
        for (Road road : Road.values()) {
            text.append(
                    String.format("%10s", road.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        }
        for (Wrong wrong : Wrong.values()) {
            text.append(String.format("%16s", wrong.words));
        }
        text.append('\n');
        for (Kind kind : Kind.values()) {
            row(
                    text,
                    kind.toString(),
                    results.stream().filter(r -> r.fault().kind() == kind).toList());
        }
        row(text, "all", results);
        text.append('\n').append(String.format("%-70s%8s%8s%8s%n", "step", "before", "after", "wrong"));
        Map<String, List<Result>> steps = results.stream()
                .filter(Result::struck)
                .collect(Collectors.groupingBy(
                        r -> r.fault().point().seam() + " " + r.fault().point().step(),
                        TreeMap::new,
                        Collectors.toList()));
        steps.forEach((step, of) -> text.append(String.format(
                "%-70s%8d%8d%8d%n",
                step.substring(0, Math.min(69, step.length())),
                of.stream().filter(r -> r.fault().side() == Side.BEFORE).count(),
                of.stream().filter(r -> r.fault().side() == Side.AFTER).count(),
                of.stream().filter(r -> !r.findings().none()).count())));
        text.append('\n');
        points.forEach((road, all) -> text.append(String.format(
                "%s: %d calls that change something%n", road.name().toLowerCase(Locale.ROOT), all.size())));
        Result longest =
                results.stream().max(Comparator.comparing(Result::outage)).orElse(null);
        text.append(String.format(
                "%d faults injected in %d s, %d whose step did not come in its run; the longest outage was %.1f s (%s)%n",
                struck(),
                took.toSeconds(),
                results.size() - struck(),
                longest == null ? 0.0 : longest.outage().toMillis() / 1000.0,
                longest == null ? "" : longest.fault()));
        return text.toString();
    }

    private static void row(StringBuilder text, String name, List<Result> of) {
        List<Result> struck = of.stream().filter(Result::struck).toList();
        if (of.isEmpty()) {
            return;
        }
        text.append(String.format("%-28s", name));
        for (Road road : Road.values()) {
            text.append(String.format(
                    "%10d",
                    struck.stream().filter(r -> r.fault().road() == road).count()));
        }
        for (Wrong wrong : Wrong.values()) {
            text.append(String.format(
                    "%16d", of.stream().filter(r -> r.findings().of(wrong) > 0).count()));
        }
        text.append('\n');
    }
}

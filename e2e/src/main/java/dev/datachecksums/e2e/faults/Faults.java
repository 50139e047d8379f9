package dev.datachecksums.e2e.faults;

import static java.util.Map.entry;

import dev.datachecksums.e2e.Arguments;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Records what a conversion does, then injects faults there, in some worlds at once. */
public final class Faults {
    private static final Map<String, String> OPTIONS = Map.ofEntries(
            entry("seed", "1"),
            entry("sample", "0"),
            entry("of-each", "6"),
            entry("lanes", "3"),
            entry("megabytes", "96"),
            entry("strategy", "Auto"),
            entry("only", ""),
            entry("part", "1/1"));

    private final PrintStream out;
    private final Arguments options;

    private Faults(PrintStream out, Arguments options) {
        this.out = out;
        this.options = options;
    }

    /**
     * The program behind {@code make faults}. Exit status 1 if something was found that must never be.
     *
     * <p>{@code --seed=1 --of-each=6 --lanes=3 --megabytes=96 --strategy=InPlace}; {@code --sample=N}: so many faults and no more;
     * {@code --only=WORDS}: those whose description holds the words; {@code --part=2/5}: a fifth of them.
     */
    public static void main(String[] args) {
        FaultTable table = new Faults(System.out, Arguments.orExit(args, OPTIONS)).run();
        System.out.println(table.write());
        System.exit(table.wrong().isEmpty() ? 0 : 1);
    }

    /** A sample, for a test. */
    static FaultTable sample(long seed, int size, int lanes) {
        String[] line = {"--seed=" + seed, "--sample=" + size, "--lanes=" + lanes};
        return new Faults(System.out, Arguments.of(line, OPTIONS)).run();
    }

    private FaultTable run() {
        long from = System.nanoTime();
        int lanes = options.number("lanes");
        ExecutorService threads = Executors.newFixedThreadPool(lanes);
        List<Result> results = Collections.synchronizedList(new ArrayList<>());
        List<World> worlds = Collections.synchronizedList(new ArrayList<>());
        try {
            World first = open(0);
            worlds.add(first);
            Map<Road, List<Point>> points = record(first);
            FaultPlan plan = new FaultPlan(points);
            int sample = options.number("sample");
            List<Fault> chosen = sample > 0
                    ? plan.sample(options.number("seed"), sample)
                    : plan.full(options.number("seed"), options.number("of-each"));
            String only = options.text("only");
            List<Fault> faults = new ArrayList<>(
                    chosen.stream().filter(f -> f.toString().contains(only)).toList());
            keepPart(faults);
            out.println(faults.size() + " faults, seed " + options.number("seed"));
            Point rewrite = Run.rewrite(points.getOrDefault(Road.ON, List.of()));
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < lanes; i++) {
                int lane = i;
                ends.add(threads.submit(() -> {
                    World world = lane == 0 ? first : open(lane);
                    if (lane > 0) {
                        worlds.add(world);
                    }
                    lane(world, faults, rewrite, results);
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
            return new FaultTable(results, points, Duration.ofNanos(System.nanoTime() - from));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
            worlds.forEach(Faults::close);
        }
    }

    /** {@code 2/5}: every fifth from the second on. */
    private void keepPart(List<Fault> faults) {
        String[] part = options.text("part").split("/", 2);
        int of = Integer.parseInt(part[1]);
        int which = Integer.parseInt(part[0]) % of;
        int i = 0;
        for (var all = faults.iterator(); all.hasNext(); i++) {
            all.next();
            if (i % of != which) {
                all.remove();
            }
        }
    }

    private World open(int lane) {
        try {
            // So much that the pod is held; in every third world so little that the interlock alone does it.
            return new World(
                    lane % 3 == 2 ? 1 : options.number("megabytes"), Map.of("strategy", options.text("strategy")));
        } catch (IOException | SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void close(World world) {
        try {
            world.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<Road, List<Point>> record(World world) {
        Map<Road, List<Point>> points = new EnumMap<>(Road.class);
        Run run = new Run(world);
        Point rewrite = null;
        for (Road road : Road.values()) {
            List<Point> all = run.record(road, rewrite);
            if (road == Road.ON) {
                rewrite = Run.rewrite(all);
            }
            points.put(road, all);
            out.println("== " + road);
            all.forEach(p -> out.println("   " + p));
        }
        return points;
    }

    private void lane(World world, List<Fault> faults, Point rewrite, List<Result> results) {
        Run run = new Run(world);
        for (Fault fault = next(faults, world); fault != null; fault = next(faults, world)) {
            Result result = run.inject(fault, rewrite);
            results.add(result);
            String line = String.format(
                    "%4d %s%s: %.1f s, outage %.1f s%s",
                    results.size(),
                    result.findings().none() ? "" : "WRONG ",
                    fault,
                    result.took().toMillis() / 1000.0,
                    result.outage().toMillis() / 1000.0,
                    result.struck() ? "" : ", its step did not come");
            out.println(result.findings().none() ? line : line + "\n" + result.findings() + "\n" + result.log());
        }
    }

    /** Preferably one that begins with what the server says now. */
    private static @Nullable Fault next(List<Fault> faults, World world) {
        String now = world.server.dataChecksums();
        synchronized (faults) {
            Fault fitting = faults.stream()
                    .filter(f -> f.road().from.equals(now))
                    .findFirst()
                    .orElse(faults.isEmpty() ? null : faults.get(0));
            faults.remove(fitting);
            return fitting;
        }
    }
}

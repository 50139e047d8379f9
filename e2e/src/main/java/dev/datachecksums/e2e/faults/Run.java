package dev.datachecksums.e2e.faults;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.faults.Findings.Wrong;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.load.ReadyWatch;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Goes a road in a world, with a fault on it or none, and looks at what came of it. */
final class Run {
    private static final Duration SETTLES = Duration.ofMinutes(5);
    private static final Duration SERVES = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final String REWRITES = "pg_checksums --enable";

    private final World world;
    private final Damage damage;

    Run(World world) {
        this.world = world;
        this.damage = new Damage(world);
    }

    /** What passed on an undisturbed way; of an interrupted one, what passed from there until the try was over. */
    List<Point> record(Road road, @Nullable Point rewrite) {
        begin(road);
        AtomicBoolean interrupted = new AtomicBoolean(!road.interrupted());
        int[] before = {0, 0};
        go(road, rewrite, () -> {
            before[0] = world.watchpost.passed().size();
            before[1] = world.script.passed().size();
            interrupted.set(true);
        });
        Findings found = outcome(road);
        if (!found.none() || !interrupted.get()) {
            throw new IllegalStateException(road + " does not go undisturbed: " + found + "\n" + world.operatorLog());
        }
        List<Point> calls = world.watchpost.passed();
        List<Point> programs = world.script.passed();
        List<Point> all = new ArrayList<>(calls.subList(before[0], calls.size()));
        if (road.interrupted()) {
            for (int i = 0; i < all.size(); i++) {
                if (all.get(i).step().contains("/status ") && !all.get(i).step().contains(" under way")) {
                    all = new ArrayList<>(all.subList(0, i + 1));
                }
            }
        }
        // The Job that lifts goes by the image's own tools, and after it comes the next try.
        if (road != Road.JOB_LOST) {
            all.addAll(programs.subList(before[1], programs.size()));
        }
        return List.copyOf(all);
    }

    /** The point before the first page is written. */
    static Point rewrite(List<Point> points) {
        return points.stream()
                .filter(p -> p.seam() == Seam.SCRIPT && p.step().startsWith(REWRITES))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no pg_checksums in " + points));
    }

    /** With a fault. */
    Result inject(Fault fault, Point rewrite) {
        begin(fault.road());
        AtomicBoolean struck = new AtomicBoolean();
        AtomicReference<String> during = new AtomicReference<>("");
        Point point = fault.point();
        CompletableFuture<Void> fired = point.seam() == Seam.SCRIPT
                ? world.script.arm(point, fault.side(), () -> {
                    during.set(world.lastWord());
                    if (damage.possible(fault.kind())) {
                        damage.strike(fault.kind());
                        struck.set(true);
                    }
                })
                : world.watchpost.arm(point, fault.side(), () -> {
                    if (!damage.possible(fault.kind())) {
                        return Effect.PASS;
                    }
                    struck.set(true);
                    return damage.strike(fault.kind());
                });
        long from = System.nanoTime();
        int gaps = world.writer.gaps().size();
        int log = world.operatorLog().length();
        go(fault.road(), rewrite, () -> {});
        Findings found = outcome(fault.road());
        fired.complete(null);
        Duration outage = world.writer.gaps().stream()
                .skip(gaps)
                .map(AckedWriter.Gap::length)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        return new Result(
                fault,
                String.valueOf(during.get()),
                struck.get(),
                found,
                Duration.ofNanos(System.nanoTime() - from),
                outage,
                world.operatorLog().substring(log));
    }

    private void begin(Road road) {
        world.sql.slowDown(Duration.ZERO);
        world.shiftClock(Duration.ZERO);
        if (!world.server.dataChecksums().equals(road.from)) {
            world.declare(road.from.equals("on") ? DesiredState.ENABLED : DesiredState.DISABLED);
            await(SETTLES, this::rests);
        }
        world.watchpost.begin();
        world.script.begin();
        world.api.takeChanges();
        world.ready.takeLies();
    }

    private void go(Road road, @Nullable Point rewrite, Runnable interrupted) {
        if (!road.interrupted()) {
            world.declare(road.to);
            return;
        }
        CompletableFuture<Void> unused = world.script.arm(Objects.requireNonNull(rewrite), Side.BEFORE, () -> {
            interrupted.run();
            switch (road) {
                case JOB_LOST -> world.killJob();
                case CANCELLED -> world.declare(DesiredState.DISABLED);
                default -> world.declaration().delete();
            }
            // The program waits here until it is killed.
            await(SETTLES, () -> world.jobPod().isEmpty());
        });
        world.declare(DesiredState.ENABLED);
    }

    /** Waits for the end, and looks at what is there then. */
    private Findings outcome(Road road) {
        Findings found = new Findings();
        if (road == Road.DELETED) {
            if (!await(SETTLES, () -> world.declaration().get() == null)) {
                found.add(Wrong.LEFT_BEHIND, "the deleted resource is still there: " + status());
            } else {
                served(found, road);
                left(found);
            }
            world.declare(DesiredState.DISABLED);
        }
        if (!await(SETTLES, this::rests)) {
            found.add(Wrong.NOT_CONVERGED, status());
        }
        served(found, road);
        left(found);
        found.addAll(Wrong.FALSE_READY, world.ready.takeLies());
        found.addAll(Wrong.OTHERS_TOUCHED, world.baseline.touched(world.name(), world.api.takeChanges()));
        return found;
    }

    /** It serves, says what is declared, and has every row that it acknowledged. */
    private void served(Findings found, Road road) {
        try {
            world.writer.awaitMore(3, SERVES);
            String says = world.server.dataChecksums();
            if (!says.equals(road.end())) {
                found.add(Wrong.NOT_CONVERGED, "the server says " + says);
            }
            List<Integer> lost = world.writer.missing();
            if (!lost.isEmpty()) {
                found.add(Wrong.WRITES_LOST, lost.toString());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException | SQLException e) {
            found.add(Wrong.LEFT_DOWN, String.valueOf(e.getMessage()));
        }
    }

    private void left(Findings found) {
        await(SERVES, () -> remains().isEmpty());
        found.addAll(Wrong.LEFT_BEHIND, remains());
    }

    private List<String> remains() {
        DataChecksums d = world.declaration().get();
        try {
            return world.baseline.left(d == null ? List.of() : d.getMetadata().getFinalizers());
        } catch (IllegalStateException | UncheckedIOException e) {
            return List.of("it cannot be told: " + e.getMessage());
        }
    }

    private String status() {
        DataChecksums d = world.declaration().get();
        return d == null ? "there is no declaration" : String.valueOf(d.getStatus());
    }

    /** As declared, by its own word, and with nothing under way. */
    private boolean rests() {
        DataChecksums d = world.declaration().get();
        return ReadyWatch.claims(d)
                && d != null
                && d.getStatus().conversion() == null
                && d.getMetadata().getFinalizers().isEmpty();
    }

    /** Starts the operator meanwhile whenever it does not run, as a Deployment would. */
    private boolean await(Duration atMost, BooleanSupplier what) {
        long end = System.nanoTime() + atMost.toNanos();
        while (!what.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            world.ensureOperator();
            LockSupport.parkNanos(LOOK.toNanos());
        }
        return true;
    }
}

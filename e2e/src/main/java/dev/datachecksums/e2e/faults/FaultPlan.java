package dev.datachecksums.e2e.faults;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Which faults are injected: drawn by a seed from all that there are. */
final class FaultPlan {
    private static final List<Kind> KILLS = List.of(
            Kind.JOB_KILLED,
            Kind.DATABASE_POD_FORCE_DELETED,
            Kind.OPERATOR_KILLED,
            Kind.JOB_POD_FORCE_DELETED,
            Kind.ALL_KILLED);

    private final Map<Road, List<Point>> points;

    FaultPlan(Map<Road, List<Point>> points) {
        this.points = Map.copyOf(points);
    }

    /** Of one kind, everywhere. */
    private List<Fault> all(Road road, Kind kind) {
        List<Fault> all = new ArrayList<>();
        for (Point point : points.getOrDefault(road, List.of())) {
            for (Side side : Side.values()) {
                if (kind.strikes(point, side)) {
                    all.add(new Fault(road, point, side, kind));
                }
            }
        }
        return all;
    }

    /** The operator is killed everywhere; of each other kind, so many a road. */
    List<Fault> full(long seed, int ofEach) {
        Random random = new Random(seed);
        List<Fault> chosen = new ArrayList<>();
        for (Road road : Road.values()) {
            for (Kind kind : Kind.values()) {
                List<Fault> all = all(road, kind);
                Collections.shuffle(all, random);
                chosen.addAll(kind == Kind.OPERATOR_KILLED ? all : all.subList(0, Math.min(ofEach, all.size())));
            }
        }
        Collections.shuffle(chosen, random);
        return chosen;
    }

    /** Kills, so many, evenly over the programs of the script on the way to on; the kinds in turn, from one that the seed draws. */
    List<Fault> kills(long seed, int size) {
        List<Point> programs = points.getOrDefault(Road.ON, List.of()).stream()
                .filter(p -> p.seam() == Seam.SCRIPT)
                .toList();
        Random random = new Random(seed);
        int first = random.nextInt(KILLS.size());
        List<Fault> chosen = new ArrayList<>();
        for (int i = 0; i < size && !programs.isEmpty(); i++) {
            // Anywhere in the i-th of so many equal stretches.
            double at = (i + random.nextDouble()) * programs.size() / size;
            Point point = programs.get(Math.min(programs.size() - 1, (int) at));
            Side side = random.nextBoolean() ? Side.BEFORE : Side.AFTER;
            chosen.add(new Fault(Road.ON, point, side, KILLS.get((first + i) % KILLS.size())));
        }
        return chosen;
    }

    /** So many, with kinds and roads in turn. */
    List<Fault> sample(long seed, int size) {
        Random random = new Random(seed);
        List<Fault> chosen = new ArrayList<>();
        Map<Kind, List<Fault>> byKind = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            List<Fault> all = new ArrayList<>();
            for (Road road : Road.values()) {
                all.addAll(all(road, kind));
            }
            Collections.shuffle(all, random);
            byKind.put(kind, all);
        }
        for (int i = 0; chosen.size() < size && i < size; i++) {
            for (List<Fault> all : byKind.values()) {
                if (i < all.size() && chosen.size() < size) {
                    chosen.add(all.get(i));
                }
            }
        }
        return chosen;
    }
}

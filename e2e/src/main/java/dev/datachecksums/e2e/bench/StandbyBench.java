package dev.datachecksums.e2e.bench;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.Arguments;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.load.Filler;
import dev.datachecksums.e2e.load.SteadyPgbench;
import dev.datachecksums.e2e.testbed.ClusterTestbed;
import dev.datachecksums.e2e.testbed.OperatorHandle;
import dev.datachecksums.e2e.testbed.Operators;
import dev.datachecksums.e2e.testbed.PostgresInstance;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code make standby-bench}: the outage of a TemporaryStandby, through the operator, against a plain deletion of the same pod, in
 * alternating pairs, idle and under pgbench, and against a conversion in place; at the pod's address, in one run. The data of a size is
 * loaded once. Arguments: the megabytes of each size (1024 8192), {@code --pairs=10}, {@code --load=idle,pgbench} or one of the two,
 * {@code --in-place=3} conversions in place (0: none).
 */
public final class StandbyBench {

    private static final double LIMIT = 1.05;
    private static final Path PROGRAMS = Path.of("/usr/bin");

    private final Testbed testbed;
    private final PostgresInstance postgres;
    private final DeclaredServer server;
    private final ByHand byHand;

    private StandbyBench(Testbed testbed, PostgresInstance postgres, AvailabilityProbe probe, int megabytes) {
        this.testbed = testbed;
        this.postgres = postgres;
        // At 20 MB/s, which is slow.
        this.server = new DeclaredServer(testbed, postgres, probe, Duration.ofSeconds(300 + 6L * megabytes / 20));
        this.byHand = new ByHand(testbed, postgres);
    }

    /** Needs KUBECONFIG. */
    public static void main(String[] args) throws Exception {
        Arguments options = Arguments.orExit(args, Map.of("pairs", "10", "load", "idle,pgbench", "in-place", "3"));
        try (Testbed testbed = ClusterTestbed.open();
                OperatorHandle operator = Operators.killable(testbed)) {
            operator.start();
            for (int megabytes : options.sizes(1024, 8192)) {
                measure(testbed, megabytes, options);
            }
        }
        System.exit(0);
    }

    private static void measure(Testbed testbed, int megabytes, Arguments options) throws Exception {
        int pairs = options.number("pairs");
        List<String> loads = List.of(options.text("load").split(",", -1));
        PostgresInstance postgres = testbed.createReady(PostgresSpec.named("size-" + megabytes));
        long from = System.nanoTime();
        try (Connection c = postgres.connect(Duration.ofHours(1))) {
            Filler.fill(c, "filler", megabytes);
        }
        System.out.println(megabytes + " MB loaded in "
                + Duration.ofNanos(System.nanoTime() - from).toSeconds() + " s");
        try (AvailabilityProbe probe = new AvailabilityProbe(postgres)) {
            StandbyBench bench = new StandbyBench(testbed, postgres, probe, megabytes);
            bench.server.declare("{offline: {strategy: TemporaryStandby, minFreeSpace: 1Gi}}");
            if (loads.contains("idle")) {
                bench.pairs(megabytes + " MB, idle", pairs);
            }
            if (loads.contains("pgbench")) {
                bench.underLoad(megabytes, pairs);
            }
            bench.inPlace(megabytes, options.number("in-place"));
            bench.server.handle().delete();
        }
        postgres.scale(0);
    }

    private void underLoad(int megabytes, int pairs) throws Exception {
        try (SteadyPgbench load =
                        new SteadyPgbench(PROGRAMS, postgres::address, postgres.user(), postgres.password(), 10, 4);
                AckedWriter writer = AckedWriter.start(postgres::connect, "acked", Duration.ofMillis(20))) {
            pairs(megabytes + " MB, under pgbench", pairs);
            writer.close();
            System.out.println("  rows acknowledged " + writer.acknowledged() + ", missing "
                    + writer.missing().size() + "; pgbench was begun " + load.begun() + " times");
        }
    }

    private void pairs(String what, int pairs) {
        System.out.println("TemporaryStandby against a plain deletion of the pod, " + what + ":");
        List<Double> ratios = new ArrayList<>();
        List<Double> swapped = new ArrayList<>();
        List<Double> deleted = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            server.state(DesiredState.DISABLED);
            Duration operator;
            String steps;
            // Both orders, so that what drifts does so for both.
            Duration plain = i % 2 == 0 ? Duration.ZERO : server.outage(byHand::deletePod);
            try (JobSteps job = new JobSteps(testbed)) {
                operator = server.outage(() -> server.state(DesiredState.ENABLED));
                steps = job.intervals();
            }
            plain = i % 2 == 0 ? server.outage(byHand::deletePod) : plain;
            double ratio = (double) operator.toMillis() / plain.toMillis();
            ratios.add(ratio);
            swapped.add((double) operator.toMillis());
            deleted.add((double) plain.toMillis());
            System.out.printf(
                    Locale.ROOT,
                    "  operator %d ms, delete %d ms: %.2f  (%s)%n",
                    operator.toMillis(),
                    plain.toMillis(),
                    ratio,
                    steps);
        }
        if (pairs > 0) {
            System.out.printf(
                    Locale.ROOT,
                    "  median: operator %.0f ms, delete %.0f ms; median ratio %.2f (limit %.2f)%n",
                    Ratios.median(swapped),
                    Ratios.median(deleted),
                    Ratios.median(ratios),
                    LIMIT);
        }
    }

    private void inPlace(int megabytes, int runs) {
        if (runs == 0) {
            return;
        }
        System.out.println("the same in place, " + megabytes + " MB:");
        server.patch("{\"spec\":{\"policy\":{\"offline\":{\"strategy\":\"InPlace\"}}}}");
        List<Double> outages = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            server.state(DesiredState.DISABLED);
            long outage =
                    server.outage(() -> server.state(DesiredState.ENABLED)).toMillis();
            outages.add((double) outage);
            System.out.println("  operator " + outage + " ms");
        }
        System.out.printf(Locale.ROOT, "  median %.0f ms%n", Ratios.median(outages));
    }
}

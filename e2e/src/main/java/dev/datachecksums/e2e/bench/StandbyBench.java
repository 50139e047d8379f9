package dev.datachecksums.e2e.bench;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.load.Filler;
import dev.datachecksums.e2e.testbed.ClusterTestbed;
import dev.datachecksums.e2e.testbed.OperatorHandle;
import dev.datachecksums.e2e.testbed.Operators;
import dev.datachecksums.e2e.testbed.PostgresInstance;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * {@code make standby-bench}: the outage of a TemporaryStandby, through the operator, against a plain deletion of the same pod, in
 * alternating pairs, idle and under a client that writes, and against a conversion in place; at the pod's address, in one run. Arguments:
 * the megabytes of each size (1024 8192), and {@code --pairs=10}.
 */
public final class StandbyBench {

    private static final double LIMIT = 1.05;
    private static final int IN_PLACE = 3;

    private final Testbed testbed;
    private final DeclaredServer server;
    private final ByHand byHand;

    private StandbyBench(Testbed testbed, PostgresInstance postgres, AvailabilityProbe probe) {
        this.testbed = testbed;
        this.server = new DeclaredServer(testbed, postgres, probe);
        this.byHand = new ByHand(testbed, postgres);
    }

    /** Needs KUBECONFIG. */
    public static void main(String[] args) throws Exception {
        List<Integer> sizes = new ArrayList<>();
        int pairs = 10;
        for (String arg : args) {
            if (arg.startsWith("--pairs=")) {
                pairs = Integer.parseInt(arg.substring("--pairs=".length()));
            } else {
                sizes.add(Integer.valueOf(arg));
            }
        }
        try (Testbed testbed = ClusterTestbed.open();
                OperatorHandle operator = Operators.killable(testbed)) {
            operator.start();
            for (int megabytes : sizes.isEmpty() ? List.of(1024, 8192) : sizes) {
                measure(testbed, megabytes, pairs);
            }
        }
        System.exit(0);
    }

    private static void measure(Testbed testbed, int megabytes, int pairs) throws Exception {
        PostgresInstance postgres = testbed.createReady(PostgresSpec.named("size-" + megabytes));
        try (Connection c = postgres.connect()) {
            Filler.fill(c, "filler", megabytes);
        }
        try (AvailabilityProbe probe = new AvailabilityProbe(postgres)) {
            StandbyBench bench = new StandbyBench(testbed, postgres, probe);
            bench.server.declare("{offline: {strategy: TemporaryStandby, minFreeSpace: 1Gi}}");
            bench.pairs(megabytes + " MB, idle", pairs);
            try (AckedWriter writer = AckedWriter.start(postgres::connect)) {
                bench.pairs(megabytes + " MB, under a client that writes", pairs);
                writer.close();
                System.out.println("  rows acknowledged " + writer.acknowledged() + ", missing "
                        + writer.missing().size());
            }
            bench.inPlace(megabytes);
            bench.server.handle().delete();
        }
        postgres.scale(0);
    }

    private void pairs(String what, int pairs) {
        System.out.println("TemporaryStandby against a plain deletion of the pod, " + what + ":");
        List<Double> ratios = new ArrayList<>();
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
            System.out.printf(
                    Locale.ROOT,
                    "  operator %d ms, delete %d ms: %.2f  (%s)%n",
                    operator.toMillis(),
                    plain.toMillis(),
                    ratio,
                    steps);
        }
        System.out.printf(Locale.ROOT, "  median ratio %.2f (limit %.2f)%n", Ratios.median(ratios), LIMIT);
    }

    private void inPlace(int megabytes) {
        System.out.println("the same in place, " + megabytes + " MB:");
        server.patch("{\"spec\":{\"policy\":{\"offline\":{\"strategy\":\"InPlace\"}}}}");
        for (int i = 0; i < IN_PLACE; i++) {
            server.state(DesiredState.DISABLED);
            System.out.println("  operator "
                    + server.outage(() -> server.state(DesiredState.ENABLED)).toMillis() + " ms");
        }
    }
}

package dev.datachecksums.e2e.bench;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.load.Filler;
import dev.datachecksums.e2e.testbed.ClusterTestbed;
import dev.datachecksums.e2e.testbed.OperatorHandle;
import dev.datachecksums.e2e.testbed.Operators;
import dev.datachecksums.e2e.testbed.PostgresInstance;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
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
    private final PostgresInstance postgres;
    private final AvailabilityProbe probe;
    private final ByHand byHand;

    private StandbyBench(Testbed testbed, PostgresInstance postgres, AvailabilityProbe probe) {
        this.testbed = testbed;
        this.postgres = postgres;
        this.probe = probe;
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
            bench.declare();
            bench.pairs(megabytes + " MB, idle", pairs);
            try (AckedWriter writer = AckedWriter.start(postgres::connect)) {
                bench.pairs(megabytes + " MB, under a client that writes", pairs);
                writer.close();
                System.out.println("  rows acknowledged " + writer.acknowledged() + ", missing "
                        + writer.missing().size());
            }
            bench.inPlace(megabytes);
        }
        testbed.client()
                .resources(DataChecksums.class)
                .inNamespace(testbed.namespace())
                .withName(postgres.name())
                .delete();
        postgres.scale(0);
    }

    private void pairs(String what, int pairs) {
        System.out.println("TemporaryStandby against a plain deletion of the pod, " + what + ":");
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            state(DesiredState.DISABLED);
            Duration operator;
            String steps;
            // Both orders, so that what drifts does so for both.
            Duration plain = i % 2 == 0 ? Duration.ZERO : measured(byHand::deletePod);
            try (JobSteps job = new JobSteps(testbed)) {
                operator = measured(() -> state(DesiredState.ENABLED));
                steps = job.intervals();
            }
            plain = i % 2 == 0 ? measured(byHand::deletePod) : plain;
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
        List<Double> sorted = ratios.stream().sorted().toList();
        int n = sorted.size();
        double median = n % 2 == 1 ? sorted.get(n / 2) : (sorted.get(n / 2 - 1) + sorted.get(n / 2)) / 2;
        System.out.printf(Locale.ROOT, "  median ratio %.2f (limit %.2f)%n", median, LIMIT);
    }

    private void inPlace(int megabytes) {
        System.out.println("the same in place, " + megabytes + " MB:");
        patch("{\"spec\":{\"policy\":{\"offline\":{\"strategy\":\"InPlace\"}}}}");
        for (int i = 0; i < IN_PLACE; i++) {
            state(DesiredState.DISABLED);
            System.out.println(
                    "  operator " + measured(() -> state(DesiredState.ENABLED)).toMillis() + " ms");
        }
    }

    private Duration measured(Runnable what) {
        postgres.awaitReady();
        Waits.pause(Duration.ofMillis(500));
        probe.reset();
        what.run();
        postgres.awaitReady();
        Waits.pause(Duration.ofMillis(500));
        return probe.longest();
    }

    private void declare() {
        DataChecksums d = Serialization.unmarshal(
                """
                apiVersion: datachecksums.dev/v1alpha1
                kind: DataChecksums
                metadata: {name: %s}
                spec:
                  state: Disabled
                  instanceRef: {name: %s}
                  connection: {credentials: {secretName: %s}}
                  policy: {offline: {strategy: TemporaryStandby, minFreeSpace: 1Gi}}
                """.formatted(postgres.name(), postgres.name(), postgres.secretName()), DataChecksums.class);
        testbed.client().resource(d).inNamespace(testbed.namespace()).create();
    }

    private void state(DesiredState state) {
        patch("{\"spec\":{\"state\":\"" + (state == DesiredState.ENABLED ? "Enabled" : "Disabled") + "\"}}");
        Waits.until("converged: " + state, () -> {
            DataChecksums d = testbed.client()
                    .resources(DataChecksums.class)
                    .inNamespace(testbed.namespace())
                    .withName(postgres.name())
                    .get();
            return d.getStatus() != null
                    && d.getStatus().observedGeneration() != null
                    && d.getStatus().observedGeneration().equals(d.getMetadata().getGeneration())
                    && d.getStatus().phase() == Phase.CONVERGED
                    && d.getStatus().conversion() == null;
        });
    }

    private void patch(String json) {
        testbed.client()
                .resources(DataChecksums.class)
                .inNamespace(testbed.namespace())
                .withName(postgres.name())
                .patch(PatchContext.of(PatchType.JSON_MERGE), json);
    }
}

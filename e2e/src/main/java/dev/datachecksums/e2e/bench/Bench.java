package dev.datachecksums.e2e.bench;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DataChecksumsSpec;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.load.Filler;
import dev.datachecksums.e2e.testbed.ClusterTestbed;
import dev.datachecksums.e2e.testbed.OperatorHandle;
import dev.datachecksums.e2e.testbed.Operators;
import dev.datachecksums.e2e.testbed.PostgresInstance;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.operator.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * {@code make bench}: the outage of a conversion in place, through the operator, against a careful person's script
 * (5 pairs) and against a plain deletion of the pod (10 alternating pairs), at 300 MB, at the pod's address, in one run;
 * how far the status lags behind the
 * Job, how long the operator takes to get ready, and its memory at rest.
 */
public final class Bench {

    private static final int MEGABYTES = 300;
    private static final int SCRIPT_PAIRS = 5;
    private static final int DELETE_PAIRS = 10;
    private static final int LAG_RUNS = 3;
    private static final Duration AT_REST = Duration.ofSeconds(20);
    private static final Pattern READY = Pattern.compile("ready ([0-9]+) ms after the start of the JVM");

    private final Testbed testbed;
    private final DeclaredServer server;
    private final ByHand byHand;

    private Bench(Testbed testbed, PostgresInstance postgres, AvailabilityProbe probe) {
        this.testbed = testbed;
        this.server = new DeclaredServer(testbed, postgres, probe);
        this.byHand = new ByHand(testbed, postgres);
    }

    /** Needs KUBECONFIG. */
    public static void main(String[] args) throws Exception {
        try (Testbed testbed = ClusterTestbed.open();
                OperatorHandle operator = Operators.killable(testbed)) {
            PostgresInstance postgres = testbed.createReady(PostgresSpec.named("bench"));
            Filler.fill(postgres::connect, MEGABYTES);
            operator.start();
            System.out.println("operator: start of the JVM to ready " + start(operator.log()) + " ms (limit 2000)");
            try (AvailabilityProbe probe = new AvailabilityProbe(postgres)) {
                new Bench(testbed, postgres, probe).run();
            }
        }
        System.exit(0);
    }

    /** By the operator's own word: a pod's status has seconds only, and the probe's period is in it. */
    private static String start(String log) {
        return READY.matcher(log)
                .results()
                .reduce((earlier, later) -> later)
                .map(ready -> ready.group(1))
                .orElse("not measured:");
    }

    private void run() throws IOException {
        server.declare("{}");
        System.out.println(
                "in place against a careful script, enabling, " + MEGABYTES + " MB, outage at the pod's address:");
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < SCRIPT_PAIRS; i++) {
            server.state(DesiredState.DISABLED);
            Duration operator = server.outage(() -> server.state(DesiredState.ENABLED));
            server.state(DesiredState.DISABLED);
            suspend(true);
            Duration script = server.outage(() -> byHand.convert(true));
            suspend(false);
            ratios.add(pair("operator", operator, "script", script));
        }
        System.out.printf(Locale.ROOT, "  median ratio %.2f (limit 0.5)%n", Ratios.median(ratios));

        System.out.println("in place against a plain deletion of the pod:");
        ratios.clear();
        for (int i = 0; i < DELETE_PAIRS; i++) {
            server.state(DesiredState.DISABLED);
            Duration operator = server.outage(() -> server.state(DesiredState.ENABLED));
            Duration plain = server.outage(byHand::deletePod);
            ratios.add(pair("operator", operator, "delete", plain));
        }
        System.out.printf(Locale.ROOT, "  median ratio %.2f (limit 1.1)%n", Ratios.median(ratios));
        // Conversions of their own: so many looks would disturb the others.
        try (ProgressLag lag = new ProgressLag(testbed, server.handle())) {
            for (int i = 0; i < LAG_RUNS; i++) {
                server.state(DesiredState.DISABLED);
                server.state(DesiredState.ENABLED);
            }
            Waits.pause(Duration.ofSeconds(1));
            System.out.println("from the Job's word to the status: " + lag(lag.lags()));
        }
        Waits.pause(AT_REST);
        System.out.println("resident memory of the operator at rest: " + memory() + " (limit 150 MB)");
    }

    private static double pair(String a, Duration first, String b, Duration second) {
        double ratio = (double) first.toMillis() / second.toMillis();
        System.out.printf(
                Locale.ROOT, "  %s %d ms, %s %d ms: %.2f%n", a, first.toMillis(), b, second.toMillis(), ratio);
        return ratio;
    }

    // ---- the resource

    private void suspend(boolean suspend) {
        server.patch("{\"spec\":{\"suspend\":" + suspend + "}}");
        DataChecksumsSpec spec = server.handle().get().getSpec();
        Waits.until("seen: suspend " + spec.suspended(), () -> {
            DataChecksums d = server.handle().get();
            return d.getMetadata().getGeneration().equals(d.getStatus().observedGeneration());
        });
    }

    /** Resident memory of the operator's process, from the kernel: the node is this machine. */
    private static String memory() throws IOException {
        List<String> found = new ArrayList<>();
        for (ProcessHandle p : ProcessHandle.allProcesses().toList()) {
            Path process = Path.of("/proc", Long.toString(p.pid()));
            try {
                List<String> words =
                        List.of(Files.readString(process.resolve("cmdline")).split("\0", -1));
                if (words.contains(Main.class.getName()) && words.get(0).endsWith("java")) {
                    Files.readAllLines(process.resolve("status")).stream()
                            .filter(l -> l.startsWith("VmRSS"))
                            .map(l -> l.substring(l.indexOf(':') + 1).strip())
                            .forEach(found::add);
                }
            } catch (NoSuchFileException e) {
                // It has ended meanwhile.
            }
        }
        return found.isEmpty() ? "not measured: it is no process of this machine" : String.join(", ", found);
    }

    private static String lag(List<Duration> lags) {
        return lags.isEmpty()
                ? "not measured"
                : "median " + lags.get(lags.size() / 2).toMillis() + " ms, longest "
                        + lags.get(lags.size() - 1).toMillis() + " ms, of " + lags.size() + " (limit 2000)";
    }
}

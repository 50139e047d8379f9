package dev.datachecksums.e2e.bench;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.e2e.testbed.EmbeddedTestbed;
import dev.datachecksums.e2e.testbed.Operators;
import dev.datachecksums.e2e.testbed.Testbed;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * A thousand declarations at rest: memory, processor time, status writes, reconciles and scrapes of one operator with the
 * image's JVM flags. Its API server is the embedded one, and statuses are really written there; its servers are simulated.
 */
public final class FleetBench {
    private static final int RESOURCES = 1000;
    private static final int SCRAPES = 40;
    private static final Duration SETTLE = Duration.ofSeconds(30);
    /** How often each is looked at: the operator's default. A shorter one makes the bench shorter and the operator busier. */
    private static final String RESTING = System.getProperty("dck.resting", "5m");
    /** Each is looked at once in it: the interval and its jitter. */
    private static final Duration WINDOW =
            Durations.parse(RESTING).multipliedBy(11).dividedBy(10);

    /** Clock ticks a second in /proc. */
    private static final double TICKS = 100;

    private static final Pattern FLAG = Pattern.compile("<jvmFlag>(.*?)</jvmFlag>");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z_]+)(?:\\{([^}]*)\\})? ([^ ]+)$");
    private static final Pattern BOUND = Pattern.compile("le=\"([^\"]+)\"");

    private final Testbed testbed;
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<String> misses = new ArrayList<>();

    private FleetBench(Testbed testbed) {
        this.testbed = testbed;
    }

    /** Needs nothing; exit status 1 if a limit is missed. */
    public static void main(String[] args) throws Exception {
        int status;
        try (Testbed testbed = EmbeddedTestbed.start()) {
            status = new FleetBench(testbed).run() ? 0 : 1;
        }
        System.exit(status);
    }

    private boolean run() throws IOException, InterruptedException {
        Operators.createCrds(testbed);
        create();
        Path log = Files.createTempFile("dck-fleet-", ".log");
        Process operator = operator(log);
        try {
            Waits.until("the operator runs", () -> read(log).contains(FleetOperator.RUNNING));
            String port = read(log).replaceAll("(?s).*" + FleetOperator.RUNNING + "([0-9]+).*", "$1");
            Instant began = Instant.now();
            Waits.until("all are looked at", () -> number(scrape(port), "datachecksums_ready") == RESOURCES);
            System.out.printf(
                    Locale.ROOT,
                    "%d declarations, looked at every %s; each once after %d s%n",
                    RESOURCES,
                    RESTING,
                    Duration.between(began, Instant.now()).toSeconds());
            Waits.pause(SETTLE);
            measure(operator.pid(), port);
        } finally {
            operator.destroy();
            operator.waitFor();
            Files.deleteIfExists(log);
        }
        return misses.isEmpty();
    }

    private void create() {
        KubernetesClient client = testbed.client();
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("superuser")
                        .withNamespace(testbed.namespace())
                        .endMetadata()
                        .withStringData(Map.of("username", "postgres", "password", "secret"))
                        .withData(Map.of("username", "cG9zdGdyZXM=", "password", "c2VjcmV0"))
                        .build())
                .create();
        for (int i = 0; i < RESOURCES; i++) {
            client.resource(Serialization.unmarshal("""
                            apiVersion: datachecksums.dev/v1alpha1
                            kind: DataChecksums
                            metadata: {name: server-%d, namespace: %s}
                            spec:
                              state: Enabled
                              connection: {host: server-%d, credentials: {secretName: superuser}}
                              policy: {method: Online}
                            """.formatted(i, testbed.namespace(), i), DataChecksums.class))
                    .create();
        }
    }

    private Process operator(Path log) throws IOException {
        List<String> words = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        Path here = Path.of("operator/pom.xml");
        String pom = read(Files.exists(here) ? here : Path.of("../operator/pom.xml"));
        FLAG.matcher(pom)
                .results()
                .map((MatchResult m) -> m.group(1))
                // Half of the container's limit of 256 MiB, which this machine does not know of.
                .map(f -> f.startsWith("-XX:MaxRAMPercentage") ? "-Xmx128m" : f)
                .forEach(words::add);
        words.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                FleetOperator.class.getName(),
                "--watch-namespaces=" + testbed.namespace(),
                "--resting-interval=" + RESTING,
                "--allow-external-hosts=*",
                "--metrics-port=0",
                "--health-port=0"));
        ProcessBuilder builder =
                new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(new File(log.toString()));
        builder.environment().put("KUBECONFIG", testbed.operatorKubeconfig().toString());
        builder.environment().put("MALLOC_ARENA_MAX", "2");
        return builder.start();
    }

    private void measure(long pid, String port) throws IOException {
        String before = scrape(port);
        double cpuBefore = cpuSeconds(pid);
        Instant from = Instant.now();
        double rss = 0;
        while (Duration.between(from, Instant.now()).compareTo(WINDOW) < 0) {
            Waits.pause(Duration.ofSeconds(1));
            rss = Math.max(rss, residentMiB(pid));
        }
        double seconds = Duration.between(from, Instant.now()).toMillis() / 1000.0;
        double cpu = (cpuSeconds(pid) - cpuBefore) / seconds * 100;
        String after = scrape(port);
        double writes = number(after, "datachecksums_status_writes_total")
                - number(before, "datachecksums_status_writes_total");
        Reconciles reconciles = Reconciles.between(before, after);

        double cpuScrapes = cpuSeconds(pid);
        List<Long> scrapes = new ArrayList<>();
        for (int i = 0; i < SCRAPES; i++) {
            long start = System.nanoTime();
            scrape(port);
            scrapes.add(Duration.ofNanos(System.nanoTime() - start).toMillis());
        }
        scrapes.sort(Long::compare);
        rss = Math.max(rss, residentMiB(pid));
        limit("resident memory", rss, "MiB", 256);
        limit("status writes a minute", writes / seconds * 60, "", 0);
        limit("processor time", cpu, "% of a core", 1);
        limit("reconcile, 99th percentile of " + (long) reconciles.count(), reconciles.p99() * 1000, "ms", 100);
        double each = (cpuSeconds(pid) - cpuScrapes) / SCRAPES * 1000;
        System.out.printf(Locale.ROOT, "  scrape, processor time of the operator %.0f ms each%n", each);
        limit("scrape, median of " + SCRAPES, scrapes.get(SCRAPES / 2), "ms", 100);
        System.out.printf(
                Locale.ROOT,
                "  scrape, slowest %d ms; %d series, %d KiB of text%n",
                scrapes.get(SCRAPES - 1),
                after.lines().filter(l -> !l.startsWith("#")).count(),
                after.length() / 1024);
        misses.forEach(m -> System.out.println("MISSED: " + m));
    }

    private void limit(String what, double value, String unit, double most) {
        String line = String.format(Locale.ROOT, "%s %.2f %s (limit %.0f)", what, value, unit, most);
        System.out.println("  " + line);
        if (value > most) {
            misses.add(line);
        }
    }

    /** Reconciles of a window, by the histogram's buckets: the percentile is read off a straight line within its bucket. */
    private record Reconciles(double count, double p99) {
        static Reconciles between(String before, String after) {
            Map<Double, Double> buckets = buckets(after);
            buckets(before).forEach((bound, n) -> buckets.merge(bound, -n, Double::sum));
            double all = buckets.getOrDefault(Double.POSITIVE_INFINITY, 0.0);
            double lower = 0;
            double below = 0;
            for (double bound : buckets.keySet().stream().sorted().toList()) {
                double n = buckets.getOrDefault(bound, 0.0);
                if (n >= 0.99 * all) {
                    return new Reconciles(
                            all, n == below ? bound : lower + (bound - lower) * (0.99 * all - below) / (n - below));
                }
                lower = bound;
                below = n;
            }
            return new Reconciles(all, Double.POSITIVE_INFINITY);
        }

        private static Map<Double, Double> buckets(String text) {
            Map<Double, Double> found = new HashMap<>();
            SAMPLE.matcher(text).results().forEach(m -> {
                if (m.group(1).equals("reconciliations_execution_duration_seconds_bucket")) {
                    var bound = BOUND.matcher(m.group(2));
                    if (bound.find()) {
                        String le = bound.group(1);
                        found.put(
                                le.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le),
                                Double.parseDouble(m.group(3)));
                    }
                }
            });
            return found;
        }
    }

    private static double number(String text, String metric) {
        return SAMPLE.matcher(text)
                .results()
                .filter(m -> m.group(1).equals(metric))
                .mapToDouble(m -> Double.parseDouble(m.group(3)))
                .sum();
    }

    /** As Prometheus does, which takes it compressed; the time to unpack it is Prometheus' own. */
    private String scrape(String port) {
        try {
            HttpResponse<byte[]> answer = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                            .header("Accept-Encoding", "gzip")
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            return new String(
                    new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes(),
                    StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static double residentMiB(long pid) {
        return Double.parseDouble(read(Path.of("/proc", Long.toString(pid), "status"))
                        .replaceAll("(?s).*VmRSS:\\s+([0-9]+) kB.*", "$1"))
                / 1024;
    }

    private static double cpuSeconds(long pid) {
        String stat = read(Path.of("/proc", Long.toString(pid), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Double.parseDouble(fields[11]) + Double.parseDouble(fields[12])) / TICKS;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

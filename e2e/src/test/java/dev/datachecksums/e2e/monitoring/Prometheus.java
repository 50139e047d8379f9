package dev.datachecksums.e2e.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A real Prometheus on this machine that scrapes one operator every second, under our own rules. Only their times are
 * shortened: "for" to a second, the range of the last minutes to ten seconds, the least outage worth an alert to a second.
 */
public final class Prometheus implements AutoCloseable {
    private static final Duration WITHIN = Duration.ofMinutes(3);

    private final Path folder;
    private final int port;
    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();

    /** Starts one; ready when this returns. */
    public static Prometheus start() {
        try {
            return new Prometheus();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Prometheus() throws IOException {
        folder = Files.createTempDirectory("dck-prometheus-");
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Files.writeString(folder.resolve("rules.yaml"), shortened(Monitoring.read(Monitoring.RULES)));
        scrape(List.of());
        Files.writeString(folder.resolve("prometheus.yaml"), """
                global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}
                rule_files: [rules.yaml]
                scrape_configs:
                  - job_name: datachecksums
                    honor_labels: true
                    file_sd_configs: [{files: [targets.json], refresh_interval: 1s}]
                """);
        process = new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + folder.resolve("prometheus.yaml"),
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        Awaitility.await("prometheus is ready")
                .atMost(WITHIN)
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptionsInstanceOf(ConnectException.class)
                .until(() -> process.isAlive() && get("/-/ready").statusCode() == 200);
    }

    static String shortened(String rules) {
        return rules.replaceAll("for: [0-9]+[mh]", "for: 1s")
                .replace("[3m]", "[10s]")
                .replace(", 60)", ", 1)");
    }

    /** From now on scrapes these, each host:port. */
    public void scrape(List<String> addresses) {
        try {
            Path next = folder.resolve("targets.next");
            Files.writeString(
                    next,
                    addresses.isEmpty() ? "[]" : "[{\"targets\": [\"" + String.join("\", \"", addresses) + "\"]}]");
            Files.move(
                    next,
                    folder.resolve("targets.json"),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(Duration.ofSeconds(10))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode data(String path) {
        try {
            JsonNode answer = new ObjectMapper().readTree(get(path).body());
            if (!answer.path("status").asText().equals("success")) {
                throw new IllegalStateException(path + ": " + answer);
            }
            return answer.path("data");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** How many series an instant query returns. */
    public int series(String query) {
        return data("/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8))
                .path("result")
                .size();
    }

    /** Waits until a query returns something. */
    public void awaitData(String query) {
        Awaitility.await("data for " + query)
                .atMost(WITHIN)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> series(query) > 0);
    }

    /** Annotations of the alert, if it fires with these labels. */
    public List<Map<String, String>> firing(String alert, Map<String, String> labels) {
        List<Map<String, String>> found = new ArrayList<>();
        for (JsonNode a : data("/api/v1/alerts").path("alerts")) {
            boolean matches = a.path("state").asText().equals("firing")
                    && a.path("labels").path("alertname").asText().equals(alert)
                    && labels.entrySet().stream()
                            .allMatch(l ->
                                    a.path("labels").path(l.getKey()).asText().equals(l.getValue()));
            if (matches) {
                found.add(
                        Map.of("summary", a.path("annotations").path("summary").asText()));
            }
        }
        return found;
    }

    /** Waits until it fires and returns its summary. */
    public String awaitFiring(String alert, Map<String, String> labels) {
        return Awaitility.await(alert + " fires for " + labels)
                .atMost(WITHIN)
                .pollInterval(Duration.ofMillis(300))
                .until(() -> firing(alert, labels), f -> !f.isEmpty())
                .get(0)
                .getOrDefault("summary", "");
    }

    /** Waits until it does not fire any more. */
    public void awaitClear(String alert, Map<String, String> labels) {
        Awaitility.await(alert + " clears for " + labels)
                .atMost(WITHIN)
                .pollInterval(Duration.ofMillis(300))
                .until(() -> firing(alert, labels).isEmpty());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor();
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(p);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.datachecksums.operator.telemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** GET /metrics on one port, by HTTP or HTTPS; GET /healthz and /readyz on another. */
public final class HttpEndpoints implements AutoCloseable {

    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private static final int BUFFER = 32 * 1024;

    private final HttpServer metrics;
    private final HttpServer health;
    private final ExecutorService threads = Executors.newFixedThreadPool(2, r -> {
        Thread t = new Thread(r, "http");
        t.setDaemon(true);
        return t;
    });

    /**
     * PEM files that /metrics is served with by HTTPS.
     *
     * @param certificate the chain, the server's own first
     * @param key its private key
     */
    public record Tls(Path certificate, Path key) {}

    /**
     * Starts to listen; port 0 takes any free one.
     *
     * @param notAlive what is wrong; empty: nothing
     * @param notReady the same
     */
    public HttpEndpoints(
            int metricsPort,
            Optional<Tls> tls,
            int healthPort,
            PrometheusMeterRegistry registry,
            Supplier<Optional<String>> notAlive,
            Supplier<Optional<String>> notReady) {
        this.metrics = server(metricsPort, tls);
        this.health = server(healthPort, Optional.empty());
        metrics.createContext("/metrics", e -> scrape(e, registry));
        health.createContext("/healthz", e -> answer(e, notAlive.get()));
        health.createContext("/readyz", e -> answer(e, notReady.get()));
        metrics.start();
        health.start();
    }

    /** Where /metrics is answered. */
    public int metricsPort() {
        return metrics.getAddress().getPort();
    }

    /** Where /healthz and /readyz are answered. */
    public int healthPort() {
        return health.getAddress().getPort();
    }

    private HttpServer server(int port, Optional<Tls> tls) {
        try {
            HttpServer s;
            if (tls.isPresent()) {
                HttpsServer secure = HttpsServer.create(new InetSocketAddress(port), 0);
                secure.setHttpsConfigurator(new HttpsConfigurator(
                        ServerKeys.context(tls.get().certificate(), tls.get().key())));
                s = secure;
            } else {
                s = HttpServer.create(new InetSocketAddress(port), 0);
            }
            s.setExecutor(threads);
            return s;
        } catch (IOException e) {
            throw new UncheckedIOException("port " + port + " cannot be listened on", e);
        }
    }

    /** Thousands of series are megabytes of text: compressed where the scraper takes that, as Prometheus does. */
    private static void scrape(HttpExchange e, PrometheusMeterRegistry registry) throws IOException {
        String accepted = e.getRequestHeaders().getFirst("Accept-Encoding");
        boolean gzip = accepted != null && accepted.contains("gzip");
        e.getResponseHeaders().set("Content-Type", TEXT);
        if (gzip) {
            e.getResponseHeaders().set("Content-Encoding", "gzip");
        }
        e.sendResponseHeaders(200, 0);
        try (OutputStream out =
                gzip ? new FastGzip(e.getResponseBody()) : new BufferedOutputStream(e.getResponseBody(), BUFFER)) {
            registry.scrape(out);
        }
    }

    /** Of the quickest kind: series resemble one another so much that little is lost by it. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, BUFFER);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    private static void answer(HttpExchange e, Optional<String> problem) throws IOException {
        answer(e, problem.isEmpty() ? 200 : 503, "text/plain; charset=utf-8", problem.orElse("ok") + "\n");
    }

    private static void answer(HttpExchange e, int code, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        e.getResponseHeaders().set("Content-Type", type);
        e.sendResponseHeaders(code, body.length);
        try (OutputStream out = e.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        metrics.stop(0);
        health.stop(0);
        threads.shutdownNow();
    }
}

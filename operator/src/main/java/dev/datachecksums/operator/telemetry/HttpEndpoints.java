package dev.datachecksums.operator.telemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/** GET /metrics on one port; GET /healthz and /readyz on another. */
public final class HttpEndpoints implements AutoCloseable {

    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer metrics;
    private final HttpServer health;
    private final ExecutorService threads = Executors.newFixedThreadPool(2, r -> {
        Thread t = new Thread(r, "http");
        t.setDaemon(true);
        return t;
    });

    /** Starts to listen; port 0 takes any free one. */
    public HttpEndpoints(
            int metricsPort,
            int healthPort,
            PrometheusMeterRegistry registry,
            BooleanSupplier alive,
            BooleanSupplier ready) {
        this.metrics = server(metricsPort);
        this.health = server(healthPort);
        metrics.createContext("/metrics", e -> answer(e, 200, TEXT, registry.scrape()));
        health.createContext("/healthz", e -> answer(e, alive.getAsBoolean()));
        health.createContext("/readyz", e -> answer(e, ready.getAsBoolean()));
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

    private HttpServer server(int port) {
        try {
            HttpServer s = HttpServer.create(new InetSocketAddress(port), 0);
            s.setExecutor(threads);
            return s;
        } catch (IOException e) {
            throw new UncheckedIOException("port " + port + " cannot be listened on", e);
        }
    }

    private static void answer(HttpExchange e, boolean ok) throws IOException {
        answer(e, ok ? 200 : 503, "text/plain; charset=utf-8", ok ? "ok\n" : "not ready\n");
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

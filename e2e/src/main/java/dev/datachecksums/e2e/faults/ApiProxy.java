package dev.datachecksums.e2e.faults;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/** Stands between an operator and the API server: an HTTP endpoint of this machine that passes everything on under the operator's account. */
final class ApiProxy implements AutoCloseable {

    /** A request that changes something. */
    record Change(String method, String path) {}

    private static final List<String> PASSED_ON = List.of("Accept", "Content-Type", "User-Agent");

    private final Config account;
    private final Crossing crossing;
    private final HttpClient upstream;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "api-proxy");
        thread.setDaemon(true);
        return thread;
    });
    private final List<Change> changes = new CopyOnWriteArrayList<>();
    private final Set<InputStream> streams = ConcurrentHashMap.newKeySet();
    private volatile HttpServer front;
    private volatile long errorsUntil = System.nanoTime();

    /** Of the account that a kubeconfig names, by its token. */
    ApiProxy(Path operatorKubeconfig, Crossing crossing) {
        this.crossing = crossing;
        try {
            account = Config.fromKubeconfig(Files.readString(operatorKubeconfig));
            HttpClient.Builder builder =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(10));
            if (account.getMasterUrl().startsWith("https:")) {
                builder.sslContext(SSLUtils.sslContext(account));
            }
            upstream = builder.build();
            front = listen(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no TLS to the API server", e);
        }
    }

    private HttpServer listen(int port) throws IOException {
        InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        HttpServer server = HttpServer.create(new InetSocketAddress(here, port), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
        return server;
    }

    /** For an operator that is to come through here. */
    Path writeKubeconfig(Path file, String namespace) throws IOException {
        return Files.writeString(file, """
                apiVersion: v1
                kind: Config
                current-context: proxy
                clusters:
                - name: proxy
                  cluster: {server: "http://127.0.0.1:%d"}
                users:
                - name: proxy
                  user: {token: "operator"}
                contexts:
                - name: proxy
                  context: {cluster: proxy, user: proxy, namespace: "%s"}
                """.formatted(front.getAddress().getPort(), namespace));
    }

    /** All that the operator asked to be changed since the last call of this. */
    List<Change> takeChanges() {
        List<Change> all = List.copyOf(changes);
        changes.removeAll(all);
        return all;
    }

    /** Ends what is being watched and followed, in the middle. */
    void dropStreams() {
        streams.forEach(ApiProxy::end);
    }

    /** Every request is answered with 500 for so long. */
    void failFor(Duration time) {
        errorsUntil = System.nanoTime() + time.toNanos();
    }

    /** Nobody listens for so long; returns at once. */
    void goAwayFor(Duration time) {
        threads.execute(() -> {
            int port = front.getAddress().getPort();
            front.stop(0);
            dropStreams();
            LockSupport.parkNanos(time.toNanos());
            try {
                front = listen(port);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static void end(InputStream stream) {
        try {
            stream.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void handle(HttpExchange exchange) {
        try (exchange) {
            String upgrade = exchange.getRequestHeaders().getFirst("Upgrade");
            if (upgrade != null && upgrade.toLowerCase(Locale.ROOT).equals("websocket")) {
                // The client then falls back to a plain HTTP watch.
                answer(exchange, 200, "{\"message\":\"no web sockets here\"}");
                return;
            }
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (System.nanoTime() < errorsUntil) {
                refuse(exchange, 500);
                return;
            }
            String path = exchange.getRequestURI().getPath();
            if (!ApiSteps.changes(exchange.getRequestMethod(), path)) {
                passOn(exchange, body);
                return;
            }
            changes.add(new Change(exchange.getRequestMethod(), path));
            Point point = crossing.before(Seam.API, ApiSteps.name(exchange.getRequestMethod(), path, body));
            if (passes(exchange, crossing.effect(point, Side.BEFORE))) {
                change(exchange, body, point);
            }
        } catch (IOException e) {
            // One of the two went away: so does the other.
            exchange.close();
        }
    }

    private void change(HttpExchange exchange, byte[] body, Point point) throws IOException {
        HttpResponse<InputStream> done = send(exchange, body);
        byte[] said = done.body().readAllBytes();
        if (passes(exchange, crossing.effect(point, Side.AFTER))) {
            answer(exchange, done.statusCode(), new String(said, StandardCharsets.UTF_8));
        }
    }

    /** Or does to the call what it says. A closed exchange without an answer closes the connection. */
    private static boolean passes(HttpExchange exchange, Effect effect) throws IOException {
        if (effect instanceof Effect.Refuse refuse) {
            refuse(exchange, refuse.code());
        } else if (effect instanceof Effect.Hang hang) {
            LockSupport.parkNanos(hang.time().toNanos());
        }
        return effect instanceof Effect.Pass;
    }

    private static void refuse(HttpExchange exchange, int code) throws IOException {
        if (code == 429) {
            exchange.getResponseHeaders().set("Retry-After", "1");
        }
        answer(
                exchange,
                code,
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"%s\",\"message\":\"injected\",\"code\":%d}"
                        .formatted(
                                switch (code) {
                                    case 409 -> "Conflict";
                                    case 429 -> "TooManyRequests";
                                    default -> "InternalError";
                                },
                                code));
    }

    private static void answer(HttpExchange exchange, int code, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private void passOn(HttpExchange exchange, byte[] body) throws IOException {
        HttpResponse<InputStream> response = send(exchange, body);
        response.headers()
                .firstValue("Content-Type")
                .ifPresent(t -> exchange.getResponseHeaders().set("Content-Type", t));
        exchange.sendResponseHeaders(response.statusCode(), 0);
        InputStream in = response.body();
        streams.add(in);
        try (OutputStream out = exchange.getResponseBody()) {
            out.flush();
            byte[] piece = new byte[16_384];
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                out.write(piece, 0, n);
                out.flush();
            }
        } finally {
            streams.remove(in);
            in.close();
        }
    }

    private HttpResponse<InputStream> send(HttpExchange exchange, byte[] body) throws IOException {
        String base = account.getMasterUrl().replaceAll("/+$", "");
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(base + exchange.getRequestURI().toString()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body))
                .header("Authorization", "Bearer " + account.getAutoOAuthToken());
        for (String name : PASSED_ON) {
            String value = exchange.getRequestHeaders().getFirst(name);
            if (value != null) {
                request.header(name, value);
            }
        }
        try {
            return upstream.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        front.stop(0);
        dropStreams();
        threads.shutdownNow();
    }
}

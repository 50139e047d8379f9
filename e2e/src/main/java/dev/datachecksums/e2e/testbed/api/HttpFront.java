package dev.datachecksums.e2e.testbed.api;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP side: headers, codes and streams. */
final class HttpFront implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(HttpFront.class);

    private final Discovery discovery;
    private final ResourceHandler resources;

    HttpFront(Discovery discovery, ResourceHandler resources) {
        this.discovery = discovery;
        this.resources = resources;
    }

    @Override
    public void handle(HttpExchange exchange) {
        try (exchange) {
            ResourceHandler.Answer answer;
            try {
                answer = answer(exchange);
            } catch (ApiException e) {
                answer = new ResourceHandler.Answer.Document(e.code(), e.status());
            } catch (RuntimeException e) {
                LOG.warn("{} {} failed", exchange.getRequestMethod(), exchange.getRequestURI(), e);
                answer = new ResourceHandler.Answer.Document(
                        500, ApiException.internal(e).status());
            }
            send(exchange, answer);
        } catch (IOException e) {
            LOG.debug("A client went away: {}", exchange.getRequestURI(), e);
        }
    }

    private ResourceHandler.Answer answer(HttpExchange exchange) throws IOException {
        String upgrade = exchange.getRequestHeaders().getFirst("Upgrade");
        if (upgrade != null && upgrade.toLowerCase(Locale.ROOT).equals("websocket")) {
            // The client then falls back to a plain HTTP watch. It does at 503 too, but only after tries of its own.
            return new ResourceHandler.Answer.Document(200, Json.object().put("message", "no web sockets here"));
        }
        ApiRequest request = ApiRequest.of(exchange);
        LOG.trace("{} {} {}", request.user(), request.method(), exchange.getRequestURI());
        List<String> path = request.path();
        if (path.isEmpty()) {
            return new ResourceHandler.Answer.Document(200, Json.object());
        }
        if (path.get(0).endsWith("z")) {
            return new ResourceHandler.Answer.Text(out -> out.write("ok".getBytes(StandardCharsets.UTF_8)));
        }
        if (request.method().equals("GET")) {
            var document = discovery.document(path);
            if (document.isPresent()) {
                return new ResourceHandler.Answer.Document(200, document.get());
            }
        }
        return resources.answer(request);
    }

    private static void send(HttpExchange exchange, ResourceHandler.Answer answer) throws IOException {
        var headers = exchange.getResponseHeaders();
        if (answer instanceof ResourceHandler.Answer.Document document) {
            headers.set("Content-Type", "application/json");
            byte[] body = Json.bytes(document.body());
            exchange.sendResponseHeaders(document.code(), body.length);
            exchange.getResponseBody().write(body);
        } else if (answer instanceof ResourceHandler.Answer.Watch watch) {
            headers.set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            watch.stream().send(exchange.getResponseBody());
        } else if (answer instanceof ResourceHandler.Answer.Text text) {
            headers.set("Content-Type", "text/plain");
            exchange.sendResponseHeaders(200, 0);
            text.log().copyTo(exchange.getResponseBody());
        }
    }
}

package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * What a request says besides its body's meaning.
 *
 * @param user the bearer token; empty if there is none
 */
record ApiRequest(
        String method,
        List<String> path,
        Map<String, String> query,
        String accept,
        String mediaType,
        String user,
        String body) {

    static ApiRequest of(HttpExchange exchange) throws IOException {
        String media = header(exchange, "Content-Type");
        int parameter = media.indexOf(';');
        byte[] body = exchange.getRequestBody().readAllBytes();
        boolean protobuf = media.startsWith(ProtobufBody.MEDIA_TYPE);
        return new ApiRequest(
                exchange.getRequestMethod(),
                ResourcePath.segments(exchange.getRequestURI()),
                ResourcePath.query(exchange.getRequestURI()),
                header(exchange, "Accept"),
                (parameter < 0 ? media : media.substring(0, parameter)).trim(),
                header(exchange, "Authorization").replaceFirst("^Bearer ", ""),
                protobuf ? ProtobufBody.read(body).toString() : new String(body, StandardCharsets.UTF_8));
    }

    boolean wantsTable() {
        return accept.contains("as=Table");
    }

    boolean wantsMetadataOnly() {
        return accept.contains("as=PartialObjectMetadata");
    }

    boolean watches() {
        return is("watch");
    }

    boolean dryRun() {
        return query.containsKey("dryRun");
    }

    boolean is(String parameter) {
        return List.of("true", "1").contains(query.getOrDefault(parameter, ""));
    }

    String get(String parameter) {
        return query.getOrDefault(parameter, "");
    }

    /** The body, which must be an object. */
    ObjectNode object() {
        if (Json.read(body) instanceof ObjectNode object) {
            return object;
        }
        throw ApiException.badRequest("the body must be a JSON object");
    }

    /** The body; an empty object where there is none. */
    JsonNode optionalBody() {
        return body.isBlank() ? Json.object() : Json.read(body);
    }

    private static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }
}

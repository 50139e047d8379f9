package dev.datachecksums.e2e.testbed.api;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The resource that a request's path names.
 *
 * @param namespace empty for cluster-wide resources and for all namespaces
 * @param name empty for a collection
 * @param subresource empty for the object itself
 */
record ResourcePath(String group, String version, String plural, String namespace, String name, String subresource) {

    static List<String> segments(URI uri) {
        return Arrays.stream(uri.getPath().split("/", -1))
                .filter(s -> !s.isEmpty())
                .toList();
    }

    static Map<String, String> query(URI uri) {
        Map<String, String> query = new HashMap<>();
        String raw = uri.getRawQuery();
        if (raw != null) {
            for (String pair : raw.split("&", -1)) {
                int equals = pair.indexOf('=');
                String key = equals < 0 ? pair : pair.substring(0, equals);
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                query.put(decode(key), decode(value));
            }
        }
        return query;
    }

    /** @throws ApiException 404 if the path names no resource */
    static ResourcePath of(List<String> segments) {
        boolean core = segments.get(0).equals("api");
        int at = core ? 2 : 3;
        if (segments.size() <= at || !(core || segments.get(0).equals("apis"))) {
            throw ApiException.noSuchPath();
        }
        String group = core ? "" : segments.get(1);
        String version = segments.get(at - 1);
        List<String> rest = segments.subList(at, segments.size());
        boolean inside = rest.get(0).equals("namespaces")
                && rest.size() > 2
                && !List.of("status", "finalize").contains(rest.get(2));
        String namespace = inside ? rest.get(1) : "";
        List<String> tail = inside ? rest.subList(2, rest.size()) : rest;
        return new ResourcePath(group, version, tail.get(0), namespace, get(tail, 1), get(tail, 2));
    }

    private static String get(List<String> list, int index) {
        return index < list.size() ? list.get(index) : "";
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}

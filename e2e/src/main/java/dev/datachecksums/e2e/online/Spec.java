package dev.datachecksums.e2e.online;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.Map;

/** Fields of a spec by their dotted paths. */
final class Spec {
    private final Map<String, Object> fields = new HashMap<>();

    Spec with(String path, Object value) {
        put(fields, path, value);
        return this;
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> object, String path, Object value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            object.put(path, value);
        } else {
            Object inner = object.computeIfAbsent(path.substring(0, dot), k -> new HashMap<>());
            put((Map<String, Object>) inner, path.substring(dot + 1), value);
        }
    }

    DataChecksums resource(String namespace, String name) {
        return Serialization.unmarshal(
                Serialization.asJson(Map.of(
                        "apiVersion",
                        "datachecksums.dev/v1alpha1",
                        "kind",
                        "DataChecksums",
                        "metadata",
                        Map.of("name", name, "namespace", namespace),
                        "spec",
                        fields)),
                DataChecksums.class);
    }

    /** As a merge patch. */
    String patch() {
        return Serialization.asJson(Map.of("spec", fields));
    }
}

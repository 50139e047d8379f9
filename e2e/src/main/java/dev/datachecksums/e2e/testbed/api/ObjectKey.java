package dev.datachecksums.e2e.testbed.api;

import java.util.Comparator;

/**
 * Where an object is stored.
 *
 * @param resource the qualified name, such as {@code statefulsets.apps}
 * @param namespace empty for cluster-wide objects
 */
public record ObjectKey(String resource, String namespace, String name) implements Comparable<ObjectKey> {
    private static final Comparator<ObjectKey> ORDER = Comparator.comparing(ObjectKey::resource)
            .thenComparing(ObjectKey::namespace)
            .thenComparing(ObjectKey::name);

    @Override
    public int compareTo(ObjectKey other) {
        return ORDER.compare(this, other);
    }
}

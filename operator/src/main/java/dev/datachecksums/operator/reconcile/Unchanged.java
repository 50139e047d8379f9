package dev.datachecksums.operator.reconcile;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The version of each resource at which the last look wrote nothing. As a rule a look reads its resource anew, because the
 * cache may be older than our own last write, and what the status remembers decides; of that version the cache will do.
 */
final class Unchanged {

    private final Map<String, String> versions = new ConcurrentHashMap<>();

    /** Whether the cached object is the very one that the last look has seen and left. */
    boolean is(DataChecksums cached) {
        String version = versions.get(cached.getMetadata().getUid());
        return version != null && version.equals(cached.getMetadata().getResourceVersion());
    }

    void remember(DataChecksums left) {
        versions.put(left.getMetadata().getUid(), left.getMetadata().getResourceVersion());
    }

    void forget(String uid) {
        versions.remove(uid);
    }

    void clear() {
        versions.clear();
    }
}

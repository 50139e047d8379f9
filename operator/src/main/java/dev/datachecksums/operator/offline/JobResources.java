package dev.datachecksums.operator.offline;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the Job's container asks for and may use. Its own: a LimitRange's default would be applied without a word, and may
 * be less than the request. What a quota or a LimitRange demands of every pod, the database's container has, so what that
 * has no limit for gets none here either, and no limit here is above its own. Pure.
 */
final class JobResources {

    private static final String CPU = "cpu";
    private static final String MEMORY = "memory";
    private static final String STORAGE = "ephemeral-storage";

    private static final Quantity CPU_REQUEST = new Quantity("100m");
    private static final Quantity MEMORY_REQUEST = new Quantity("64Mi");
    /** Bounds the page cache that is counted to the pod and given back under pressure; the programs need some MiB. */
    private static final Quantity MEMORY_LIMIT = new Quantity("256Mi");

    private static final Quantity COPY_LIMIT = new Quantity("1Gi");
    /** The log, and an emptyDir of 64 MiB at the most. */
    private static final Quantity STORAGE_LIMIT = new Quantity("128Mi");

    private JobResources() {}

    /** For a copy a server runs in it that replays WAL: its shared memory is that of as many connections as the live one allows. */
    static ResourceRequirements beside(@Nullable ResourceRequirements database, boolean copy) {
        Map<String, Quantity> given =
                database == null || database.getLimits() == null ? Map.of() : database.getLimits();
        Map<String, Quantity> limits = new TreeMap<>();
        // As much as the database has: what is throttled here is an outage.
        if (given.containsKey(CPU)) {
            limits.put(CPU, given.get(CPU));
        }
        limits.put(MEMORY, smaller(copy ? COPY_LIMIT : MEMORY_LIMIT, given.get(MEMORY)));
        if (given.containsKey(STORAGE)) {
            limits.put(STORAGE, smaller(STORAGE_LIMIT, given.get(STORAGE)));
        }
        return new ResourceRequirementsBuilder()
                .withRequests(Map.of(
                        CPU, smaller(CPU_REQUEST, given.get(CPU)), MEMORY, smaller(MEMORY_REQUEST, given.get(MEMORY))))
                .withLimits(limits)
                .build();
    }

    private static Quantity smaller(Quantity ours, @Nullable Quantity limit) {
        return limit != null && limit.getNumericalAmount().compareTo(ours.getNumericalAmount()) < 0 ? limit : ours;
    }
}

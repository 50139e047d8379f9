package dev.datachecksums.operator.offline;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/**
 * Names and labels of our Jobs. Deterministic, so that a second try of one creation meets the first (409) instead of
 * making another.
 */
public final class JobNames {
    /** Label on Jobs and their pods: uid of the resource. The only labels are our own: no Service may select the pods. */
    public static final String RESOURCE_UID = "datachecksums.dev/resource-uid";
    /** Label: name of the resource. */
    public static final String RESOURCE_NAME = "datachecksums.dev/resource";
    /** Label: {@code convert} or {@code lift}. */
    public static final String ROLE = "datachecksums.dev/role";
    /**
     * Annotation on Jobs: when the operator asked for it, by the operator's own clock. The creation timestamp is by the API
     * server's, and an age between two clocks is none.
     */
    public static final String ASKED = "datachecksums.dev/asked";
    /** Label: what made it. */
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    /** Value of {@link #MANAGED_BY}. */
    public static final String OPERATOR = "datachecksums-operator";

    private static final String STANDBY = "-copy";

    private static final int MAX = 63;

    private JobNames() {}

    /**
     * Names a try: at most 63 characters, a DNS label also for a resource whose name has dots. It is written into the
     * status before the Job is created, so that every later reconcile means the same one.
     */
    public static String convert(String resource, String uid, Instant started) {
        return cut("dck-" + resource.replace('.', '-'), "-" + tail(uid + "/" + started));
    }

    /** Names a try by a copy, so that it can be told from one in place when nothing else is left of it. */
    public static String standby(String resource, String uid, Instant started) {
        return cut("dck-" + resource.replace('.', '-'), "-" + tail(uid + "/" + started) + STANDBY);
    }

    /** Whether the try of that name works on a copy. */
    public static boolean isStandby(String id) {
        return id.endsWith(STANDBY);
    }

    /** Name of the Job that lifts what the try {@code id} left. */
    public static String lift(String id, int n) {
        return cut(id, "-lift" + n);
    }

    private static String tail(String seed) {
        return UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, 8);
    }

    private static String cut(String head, String tail) {
        int room = MAX - tail.length();
        return (head.length() > room ? head.substring(0, room) : head) + tail;
    }
}

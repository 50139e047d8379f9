package dev.datachecksums.operator.offline;

import dev.datachecksums.api.v1alpha1.SyncMethod;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * What the Job's script is told.
 *
 * @param mode what it does
 * @param dataDirectory the data directory, by the server's word
 * @param binDirectory where the server's programs are, by the server's word
 * @param uid owner of the data directory: the Job runs as it
 * @param gid its group
 * @param seLinuxLevel of the server's process, where SELinux enforces and the pod names none: a pod of another level
 *     would have the volume relabelled under the live server
 * @param host whom the script asks whether the server still answers; empty: it looks at the files only
 * @param readyFor how long it waits for the interlock, serving goes on meanwhile
 * @param armedFor how long it waits for the stop once it has seen the interlock
 * @param maxOutage how long after the stop it gives up
 */
public record JobSpec(
        Mode mode,
        String dataDirectory,
        Optional<String> binDirectory,
        long uid,
        long gid,
        Optional<String> seLinuxLevel,
        Optional<String> host,
        int port,
        Duration readyFor,
        Duration armedFor,
        Duration maxOutage,
        SyncMethod sync) {

    /** What the script does. */
    public enum Mode {
        /** Checksums on. */
        ENABLE,
        /** Checksums off. */
        DISABLE,
        /** Only puts back what a killed run left. */
        LIFT;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whom the Job is for. */
    public record Owner(String namespace, String name, String uid) {}
}

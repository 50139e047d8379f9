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
 * @param copy what a try by a copy needs besides; empty for one in place
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
        SyncMethod sync,
        Optional<Copy> copy) {

    /** The host, where a script wants one and the pod has no address: nobody answers there, and it goes by the files. */
    public static final String NOBODY = "127.0.0.1";

    /** In place. */
    public JobSpec(
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
        this(
                mode,
                dataDirectory,
                binDirectory,
                uid,
                gid,
                seLinuxLevel,
                host,
                port,
                readyFor,
                armedFor,
                maxOutage,
                sync,
                Optional.empty());
    }

    /**
     * A copy is made while the server serves: the script begins the backup, and keeps and drops the slot, in sessions of its own.
     *
     * @param database where it logs in
     * @param secret name of the Secret with the superuser's name and password; the Job refers to it, and the operator puts neither into the Job
     * @param encryption of its sessions
     * @param ratePerSecond bytes that are copied a second at most
     * @param floorBytes free space below which the copy is dropped
     */
    public record Copy(
            String database,
            String secret,
            String userKey,
            String passwordKey,
            Encryption encryption,
            Optional<Long> ratePerSecond,
            Optional<Long> floorBytes) {}

    /**
     * How the script's sessions are encrypted, and whom they trust.
     *
     * @param mode as libpq's sslmode: disable, prefer, require, verify-ca, verify-full
     * @param name what the certificate has to name; the script goes to the pod's own address all the same
     * @param ca the Secret with the certificates to trust, and its key; the Job refers to it
     */
    public record Encryption(String mode, Optional<String> name, Optional<Authority> ca) {}

    /** Where the certificates to trust (PEM) are. */
    public record Authority(String secret, String key) {}

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

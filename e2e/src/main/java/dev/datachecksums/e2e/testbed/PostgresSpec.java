package dev.datachecksums.e2e.testbed;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A PostgreSQL server as a StatefulSet of one.
 *
 * @param name of StatefulSet and Service; the Secret is called name-superuser, the claim data-name-0
 * @param major 0 for the testbed's default
 * @param checksums the state that initdb gives it
 * @param graceSeconds terminationGracePeriodSeconds
 * @param command instead of the image's entry point; empty for that
 * @param arguments of the server, such as -c and work_mem=8MB
 * @param storage where the data directory is
 * @param labels of the pod, besides app=name
 * @param annotations of the pod
 */
public record PostgresSpec(
        String name,
        int major,
        boolean checksums,
        int graceSeconds,
        List<String> command,
        List<String> arguments,
        Storage storage,
        String password,
        Map<String, String> labels,
        Map<String, String> annotations) {

    /** Where the data directory is. */
    public enum Storage {
        CLAIM,
        EMPTY_DIR
    }

    /** One without checksums, on a claim. */
    public static PostgresSpec named(String name) {
        return new PostgresSpec(
                name, 0, false, 30, List.of(), List.of(), Storage.CLAIM, "not-a-secret", Map.of(), Map.of());
    }

    public PostgresSpec withMajor(int newMajor) {
        return new PostgresSpec(
                name, newMajor, checksums, graceSeconds, command, arguments, storage, password, labels, annotations);
    }

    public PostgresSpec withChecksums(boolean on) {
        return new PostgresSpec(
                name, major, on, graceSeconds, command, arguments, storage, password, labels, annotations);
    }

    public PostgresSpec withGraceSeconds(int seconds) {
        return new PostgresSpec(
                name, major, checksums, seconds, command, arguments, storage, password, labels, annotations);
    }

    public PostgresSpec withCommand(String... words) {
        return new PostgresSpec(
                name,
                major,
                checksums,
                graceSeconds,
                List.of(words),
                arguments,
                storage,
                password,
                labels,
                annotations);
    }

    public PostgresSpec withArguments(String... words) {
        return new PostgresSpec(
                name, major, checksums, graceSeconds, command, List.of(words), storage, password, labels, annotations);
    }

    public PostgresSpec withStorage(Storage where) {
        return new PostgresSpec(
                name, major, checksums, graceSeconds, command, arguments, where, password, labels, annotations);
    }

    public PostgresSpec withPassword(String secret) {
        return new PostgresSpec(
                name, major, checksums, graceSeconds, command, arguments, storage, secret, labels, annotations);
    }

    public PostgresSpec withLabel(String key, String value) {
        return new PostgresSpec(
                name,
                major,
                checksums,
                graceSeconds,
                command,
                arguments,
                storage,
                password,
                plus(labels, key, value),
                annotations);
    }

    public PostgresSpec withAnnotation(String key, String value) {
        return new PostgresSpec(
                name,
                major,
                checksums,
                graceSeconds,
                command,
                arguments,
                storage,
                password,
                labels,
                plus(annotations, key, value));
    }

    private static Map<String, String> plus(Map<String, String> map, String key, String value) {
        Map<String, String> more = new TreeMap<>(map);
        more.put(key, value);
        return Map.copyOf(more);
    }
}

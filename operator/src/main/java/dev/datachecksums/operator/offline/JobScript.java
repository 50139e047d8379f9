package dev.datachecksums.operator.offline;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The shell scripts of the offline roads, each put together from the parts that are on the class path. What a script takes, what it says and what
 * is expected of the operator meanwhile is written in the head of its last part.
 */
final class JobScript {

    private JobScript() {}

    /** Converts the data directory itself while the server is stopped. */
    static String inPlace() {
        return of("common.sh", "in-place.sh");
    }

    /** Converts a copy while the server serves, and swaps it in while the server is stopped. */
    static String temporaryStandby() {
        return of(
                "common.sh",
                "temporary-standby-copy.sh",
                "temporary-standby-switch.sh",
                "temporary-standby-restore.sh",
                "temporary-standby.sh");
    }

    private static String of(String... parts) {
        return Arrays.stream(parts).map(JobScript::read).collect(Collectors.joining());
    }

    private static String read(String part) {
        try (InputStream in = JobScript.class.getResourceAsStream(part)) {
            if (in == null) {
                throw new IllegalStateException(part + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.datachecksums.e2e.testbed;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a stopped server's files say.
 *
 * @param controlData the output of pg_controldata
 * @param check the output of {@code pg_checksums --check}
 * @param checkExit its exit code: 0 if every page's checksum is right
 * @param interlocked whether postgresql.auto.conf holds an interlock
 * @param files the names in the data directory
 */
public record VolumeReport(String controlData, String check, int checkExit, boolean interlocked, List<String> files) {
    private static final Pattern BAD = Pattern.compile("Bad checksums:\\s*(\\d+)");

    static VolumeReport parse(String output) {
        String[] parts = output.split("---", 3);
        if (parts.length < 3) {
            throw new IllegalStateException("not a report:\n" + output);
        }
        List<String> rest = parts[2].strip().lines().toList();
        return new VolumeReport(
                parts[0].strip(),
                parts[1].strip(),
                Integer.parseInt(rest.get(0).strip()),
                !rest.get(1).strip().equals("0"),
                rest.subList(2, rest.size()));
    }

    /** The value of a field of pg_controldata. */
    public String control(String field) {
        return controlData
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1).strip())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no field " + field + " in:\n" + controlData));
    }

    /** The control file's data page checksum version: 0 is off. */
    public int checksumVersion() {
        return Integer.parseInt(control("Data page checksum version"));
    }

    /** The pages that pg_checksums found wrong; -1 if it did not check. */
    public int badChecksums() {
        Matcher matcher = BAD.matcher(check);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : -1;
    }
}

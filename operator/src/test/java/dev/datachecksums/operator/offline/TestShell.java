package dev.datachecksums.operator.offline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A shell with the tools that come with it, as an image has them: the script must run under each. Only what is installed here is tried;
 * BusyBox is what Alpine images have, and lacks what GNU's tools can.
 *
 * @param name for the test's name
 * @param command the shell's program
 * @param path its tools' directories
 * @param ownToolsFirst whether it may run its own tools in spite of the PATH, so that none can be replaced by a stand-in
 */
record TestShell(String name, Path command, String path, boolean ownToolsFirst) {
    private static final String USUAL = "/usr/bin:/bin";

    private static final List<TestShell> INSTALLED = find();

    static List<TestShell> installed() {
        return INSTALLED;
    }

    private static List<TestShell> find() {
        List<TestShell> found = new ArrayList<>();
        found.add(system());
        Stream.of("/bin/busybox", "/usr/bin/busybox")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .ifPresent(busybox -> found.add(busybox(busybox)));
        return List.copyOf(found);
    }

    /** /bin/sh: dash on Debian. */
    static TestShell system() {
        return new TestShell("sh", Path.of("/bin/sh"), USUAL, false);
    }

    private static TestShell busybox(Path busybox) {
        try {
            Path tools = Files.createTempDirectory(
                    "dck-busybox", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
            tools.toFile().deleteOnExit();
            Process list = new ProcessBuilder(busybox.toString(), "--list")
                    .redirectErrorStream(true)
                    .start();
            List<String> applets = new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(applet -> !applet.isBlank() && !applet.contains("/"))
                    .toList();
            for (String applet : applets) {
                link(tools.resolve(applet), busybox);
            }
            if (!applets.contains("flock")) {
                // Alpine's build has it, Debian's has not.
                link(tools.resolve("flock"), Path.of("/usr/bin/flock"));
            }
            return new TestShell("busybox", tools.resolve("sh"), tools.toString(), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void link(Path link, Path target) throws IOException {
        // Deleted in the reverse order: the directory last.
        Files.createSymbolicLink(link, target).toFile().deleteOnExit();
    }

    @Override
    public String toString() {
        return name;
    }
}

package dev.datachecksums.e2e.testbed.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an image name stands for here: {@code postgres:15} is the PostgreSQL 15 that is installed on this machine. */
final class Images {
    private static final Pattern POSTGRES = Pattern.compile("(?:.*/)?postgres:(\\d+)[^/]*");

    /**
     * An image.
     *
     * @param path directories that come first in the PATH
     * @param stopSignal by name, without SIG
     */
    record Image(String path, String stopSignal, boolean postgres) {}

    private Images() {}

    /** Empty if there is no such image: it cannot be pulled either. */
    static Optional<Image> find(String name) {
        Matcher matcher = POSTGRES.matcher(name);
        if (!matcher.matches()) {
            return Optional.of(new Image("", "TERM", false)).filter(i -> name.startsWith("local/"));
        }
        return programs(matcher.group(1)).map(bin -> new Image(bin.toString(), "INT", true));
    }

    /** The directory of the server programs of a major version. */
    static Optional<Path> programs(String major) {
        String given = System.getenv().getOrDefault("DATACHECKSUMS_PGBIN", "");
        if (!given.isBlank() && given.contains(major)) {
            return Optional.of(Path.of(given));
        }
        String online = System.getenv().getOrDefault("DATACHECKSUMS_ONLINE_PGBIN", "");
        if (!online.isBlank() && major.equals(major(Path.of(online)))) {
            return Optional.of(Path.of(online));
        }
        return Optional.of(Path.of("/usr/lib/postgresql", major, "bin"))
                .filter(bin -> Files.isExecutable(bin.resolve("postgres")));
    }

    /** What the programs in a directory say of themselves; empty if they say nothing. */
    static String major(Path bin) {
        try {
            Process said = new ProcessBuilder(bin.resolve("postgres").toString(), "--version").start();
            String words = new String(said.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return words.replaceFirst("(?s)^\\D*(\\d+).*$", "$1");
        } catch (IOException e) {
            return "";
        }
    }
}

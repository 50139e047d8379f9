package dev.datachecksums.e2e.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** pgbench's standard load, with its rate each second. */
public final class Pgbench implements AutoCloseable {
    private static final Pattern PROGRESS = Pattern.compile("progress: [\\d.]+ s, ([\\d.]+) tps.*");
    private static final Duration LONGEST = Duration.ofHours(2);

    /** Transactions per second in the second before that moment. */
    public record Sample(Instant at, double tps) {}

    private final Process process;
    private final List<Sample> samples = new CopyOnWriteArrayList<>();

    private Pgbench(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "pgbench");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Makes its tables, and begins.
     *
     * @param bin directory of the programs
     * @param scale 1 is about 16 MB
     */
    public static Pgbench start(Path bin, String host, int port, String user, String password, int scale, int clients) {
        prepare(bin, host, port, user, password, scale);
        return begin(bin, host, port, user, password, clients);
    }

    /** Makes its tables. */
    static void prepare(Path bin, String host, int port, String user, String password, int scale) {
        try {
            Process made = command(bin, host, port, user, password, List.of("-i", "-q", "-s", Integer.toString(scale)))
                    .start();
            made.getInputStream().readAllBytes();
            if (!made.waitFor(10, TimeUnit.MINUTES) || made.exitValue() != 0) {
                throw new IllegalStateException("pgbench -i failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Begins, with the tables that are there. */
    static Pgbench begin(Path bin, String host, int port, String user, String password, int clients) {
        List<String> words = List.of(
                "-n",
                "-P",
                "1",
                "-T",
                Long.toString(LONGEST.toSeconds()),
                "-c",
                Integer.toString(clients),
                "--max-tries=5");
        try {
            return new Pgbench(command(bin, host, port, user, password, words).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for its end: it gives up once none of its clients has a connection any more. */
    void awaitEnd() throws InterruptedException {
        process.waitFor();
    }

    private static ProcessBuilder command(
            Path bin, String host, int port, String user, String password, List<String> more) {
        List<String> words = new ArrayList<>(
                List.of(bin.resolve("pgbench").toString(), "-h", host, "-p", Integer.toString(port), "-U", user));
        words.addAll(more);
        words.add("postgres");
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("PGPASSWORD", password);
        return builder;
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher m = PROGRESS.matcher(line);
                if (m.matches()) {
                    samples.add(new Sample(Instant.now(), Double.parseDouble(m.group(1))));
                }
            }
        } catch (IOException ended) {
            // It was ended.
        }
    }

    /** Every second so far. */
    public List<Sample> samples() {
        return List.copyOf(samples);
    }

    /** Mean rate of the whole seconds within those moments; 0 where there is none. */
    public double tps(Instant from, Instant to) {
        return samples.stream()
                .filter(s -> s.at().isAfter(from.plusSeconds(1)) && !s.at().isAfter(to))
                .mapToDouble(Sample::tps)
                .average()
                .orElse(0);
    }

    @Override
    public void close() {
        process.destroy();
    }
}

package dev.datachecksums.e2e.testbed;

import dev.datachecksums.operator.Main;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The operator as a process of this machine: its SIGKILL is a real one. The kernel kills it should this JVM be killed. */
final class ProcessOperator implements OperatorHandle {
    private static final Duration START_LIMIT = Duration.ofMinutes(4);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(2);
    private static final String STARTED = "running; metrics on port";

    private final Class<?> main;
    private final List<String> flags;
    private final String pod;
    private final Path kubeconfig;
    private final Path log;
    /** The kernel's signal at the parent's death goes by the thread that forked: this one lives as long as we do. */
    private final ExecutorService spawner = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "operator-spawner");
        thread.setDaemon(true);
        return thread;
    });

    private @Nullable Process process;

    /** As if it were in that pod: its successor in it leads at once, where another would wait for the Lease. */
    ProcessOperator(String pod, Path kubeconfig, List<String> flags) {
        this(Main.class, pod, kubeconfig, flags);
    }

    ProcessOperator(Class<?> main, String pod, Path kubeconfig, List<String> flags) {
        this.main = main;
        this.pod = pod;
        this.kubeconfig = kubeconfig;
        this.flags = List.copyOf(flags);
        try {
            this.log = Files.createTempFile("dck-operator-", ".log");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void start() {
        int before = log().length();
        Process started = spawn();
        process = started;
        long end = System.nanoTime() + START_LIMIT.toNanos();
        while (!log().substring(before).contains(STARTED)) {
            if (!started.isAlive() || System.nanoTime() > end) {
                throw new IllegalStateException("the operator did not start:\n" + log());
            }
            Pause.of(Duration.ofMillis(20));
        }
    }

    private Process spawn() {
        List<String> words = new ArrayList<>(List.of("setpriv", "--pdeathsig=KILL", "--"));
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-Xmx160m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classPath()));
        String names = System.getProperty("jdk.net.hosts.file");
        if (names != null) {
            words.add("-Djdk.net.hosts.file=" + names);
        }
        words.add(main.getName());
        words.addAll(flags);
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        builder.environment().put("POD_NAME", pod);
        try {
            return spawner.submit(builder::start).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("could not start " + words, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Ours without the tests, whose logging is another. */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Override
    public void stop() {
        Process running = process;
        process = null;
        if (running != null) {
            running.destroy();
            await(running);
        }
    }

    @Override
    public void kill() {
        Process running = process;
        process = null;
        if (running == null || !running.isAlive()) {
            throw new IllegalStateException("the operator does not run:\n" + log());
        }
        running.destroyForcibly();
        await(running);
    }

    private static void await(Process ending) {
        try {
            if (!ending.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                ending.destroyForcibly();
                throw new IllegalStateException("the operator did not stop within " + STOP_LIMIT);
            }
        } catch (InterruptedException e) {
            ending.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean running() {
        Process running = process;
        return running != null && running.isAlive();
    }

    @Override
    public String metricsAddress() {
        String text = log();
        int at = text.lastIndexOf(STARTED) + STARTED.length() + 1;
        return "127.0.0.1:" + text.substring(at, text.indexOf(',', at));
    }

    @Override
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        stop();
        spawner.shutdown();
        try {
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

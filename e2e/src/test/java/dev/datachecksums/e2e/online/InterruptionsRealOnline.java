package dev.datachecksums.e2e.online;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.postgres.LocalPostgres;
import dev.datachecksums.operator.postgres.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A hundred interruptions of runs, each at a random moment: Ready is never True while the server says otherwise, no run that ended is
 * left unnoticed, and the state is the declared one each time. DCK_SEED repeats a run.
 */
@Timeout(3600)
class InterruptionsRealOnline {
    private static final int TIMES = 100;
    private static final Duration MEDDLED = Duration.ofSeconds(10);

    private enum Interruption {
        WORKER_TERMINATED,
        LAUNCHER_CANCELLED,
        LAUNCHER_TERMINATED,
        BACKEND_KILLED,
        RESTARTED,
        IMMEDIATE_RESTART,
        SOMEBODY_DISABLES,
        SOMEBODY_ENABLES,
        STATE_FLIPPED,
        SUSPENDED_FOR_A_WHILE,
        OPERATOR_RESTARTED,
        DATABASE_DROPPED,
        TRANSACTION_HELD,
        TEMPORARY_TABLE_HELD
    }

    private final long seed = Long.parseLong(System.getenv().getOrDefault("DCK_SEED", "1"));
    private final Random random = new Random(seed);
    private final List<String> lies = new ArrayList<>();
    private final AtomicInteger readySeen = new AtomicInteger();
    /** When somebody else called one of the functions last: at rest the operator looks once a second, and cannot know sooner. */
    private final AtomicLong meddled = new AtomicLong(System.nanoTime() - MEDDLED.toNanos());

    @Test
    void aHundredInterruptionsEndAsDeclared() throws InterruptedException {
        Map<Interruption, Integer> done = new EnumMap<>(Interruption.class);
        int aborted = 0;
        try (Subject subject = new Subject(false)) {
            for (int i = 0; i < 4; i++) {
                subject.fill("postgres", "filler" + i, 600);
            }
            subject.declare(
                    DesiredState.DISABLED,
                    "policy.attempts",
                    100,
                    "policy.online.costDelay",
                    "2ms",
                    "policy.online.costLimit",
                    100);
            subject.awaitConverged(DesiredState.DISABLED);
            AtomicBoolean running = new AtomicBoolean(true);
            Thread sampler = new Thread(() -> sample(subject, running), "ready-sampler");
            sampler.start();
            for (int i = 0; i < TIMES; i++) {
                Interruption what = Interruption.values()[random.nextInt(Interruption.values().length)];
                if (what == Interruption.DATABASE_DROPPED) {
                    subject.server().execute("CREATE DATABASE dropped" + i);
                    subject.fill("dropped" + i, "filler", 300);
                }
                subject.set(DesiredState.ENABLED);
                LockSupport.parkNanos(Duration.ofMillis(random.nextInt(3000)).toNanos());
                interrupt(subject, what, i);
                DesiredState declared = subject.get().getSpec().state();
                aborted += settle(subject, declared, i);
                done.merge(what, 1, Integer::sum);
                System.out.println("interruption " + i + " " + what + " -> " + subject.shown());
                subject.set(DesiredState.DISABLED);
                aborted += settle(subject, DesiredState.DISABLED, i);
            }
            subject.set(DesiredState.ENABLED);
            subject.awaitConverged(DesiredState.ENABLED);
            running.set(false);
            sampler.join();
            LocalPostgres server = subject.server();
            server.stop(LocalPostgres.StopMode.FAST);
            ToolResult check =
                    server.run("pg_checksums", "--check", server.dataDirectory().toString());
            assertThat(check.output()).contains("Bad checksums:  0");
        }
        System.out.println("seed " + seed + ": " + done + "; runs that ended before their time and were counted: "
                + aborted + "; Ready seen " + readySeen + " times, false " + lies.size() + " times");
        assertThat(lies).isEmpty();
        assertThat(aborted).isPositive();
        assertThat(readySeen.get()).isPositive();
    }

    /** A failed try is counted and would be tried again after a while; a change of the spec has it tried at once. */
    private static int settle(Subject subject, DesiredState declared, int round) {
        int failures = 0;
        while (true) {
            var status = subject.await(
                    "round " + round + " to settle or to count a failed try",
                    s -> (Subject.ready(subject.get()) && s.conversion() == null)
                            || (s.attempts() != null
                                    && s.attempts().count() != null
                                    && s.attempts().count() > 0
                                    && s.conversion() == null
                                    && subject.get()
                                            .getMetadata()
                                            .getGeneration()
                                            .equals(s.attempts().generation())));
            if (status.attempts() == null || Subject.ready(subject.get())) {
                subject.awaitConverged(declared);
                return failures;
            }
            failures++;
            subject.set("policy.stalledAfter", (60 + (round * 10 + failures) % 500) + "s");
        }
    }

    private void interrupt(Subject subject, Interruption what, int i) {
        LocalPostgres server = subject.server();
        switch (what) {
            case WORKER_TERMINATED -> signal(server, "pg_terminate_backend", "worker");
            case LAUNCHER_CANCELLED -> signal(server, "pg_cancel_backend", "launcher");
            case LAUNCHER_TERMINATED -> signal(server, "pg_terminate_backend", "launcher");
            case BACKEND_KILLED -> killBackend(subject);
            case RESTARTED -> server.restart();
            case IMMEDIATE_RESTART -> {
                server.stop(LocalPostgres.StopMode.IMMEDIATE);
                server.start();
            }
            case SOMEBODY_DISABLES -> meddle(server, "SELECT pg_disable_data_checksums()");
            case SOMEBODY_ENABLES -> meddle(server, "SELECT pg_enable_data_checksums(1, 50)");
            case STATE_FLIPPED -> subject.set(DesiredState.DISABLED);
            case SUSPENDED_FOR_A_WHILE -> {
                subject.set("suspend", true);
                LockSupport.parkNanos(Duration.ofMillis(random.nextInt(2000)).toNanos());
                subject.set("suspend", false);
            }
            case OPERATOR_RESTARTED -> {
                subject.operator().stop();
                LockSupport.parkNanos(Duration.ofMillis(random.nextInt(1000)).toNanos());
                subject.operator().start();
            }
            case DATABASE_DROPPED -> server.execute("DROP DATABASE dropped" + i + " WITH (FORCE)");
            case TRANSACTION_HELD -> hold(subject, "BEGIN", "SELECT pg_current_xact_id()");
            case TEMPORARY_TABLE_HELD -> hold(subject, "CREATE TEMPORARY TABLE scratch AS SELECT 1 AS x");
        }
    }

    private void meddle(LocalPostgres server, String sql) {
        meddled.set(System.nanoTime());
        server.execute(sql);
    }

    private void hold(Subject subject, String... statements) {
        try (Subject.Held held = subject.hold("postgres", statements)) {
            LockSupport.parkNanos(Duration.ofMillis(random.nextInt(3000)).toNanos());
        }
    }

    private static void signal(LocalPostgres server, String by, String role) {
        server.execute("SELECT " + by
                + "(pid) FROM pg_stat_activity WHERE backend_type ~ 'checksum' AND backend_type ~ '" + role + "$'");
    }

    /** The postmaster stays and starts everything anew; the server's start time stays the same too. */
    private static void killBackend(Subject subject) {
        LocalPostgres server = subject.server();
        String pid = server.query("SELECT pid FROM pg_stat_activity WHERE backend_type = 'background writer'");
        server.account()
                .run(java.nio.file.Path.of("/bin"), "kill", "-KILL", String.valueOf(pid))
                .orThrow();
        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (System.nanoTime() < end) {
            try {
                server.query("SELECT 1");
                return;
            } catch (IllegalStateException recovering) {
                LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            }
        }
    }

    /** The report is read before and after the server: only what stood there all the while is held against it. */
    private void sample(Subject subject, AtomicBoolean running) {
        while (running.get()) {
            try {
                DataChecksums before = subject.get();
                String says = subject.shown();
                DataChecksums after = subject.get();
                if (Subject.ready(before)
                        && Subject.ready(after)
                        && before.getMetadata()
                                .getResourceVersion()
                                .equals(after.getMetadata().getResourceVersion())) {
                    readySeen.incrementAndGet();
                    String declared = before.getSpec().state() == DesiredState.ENABLED ? "on" : "off";
                    if (!says.equals(declared) && System.nanoTime() - meddled.get() > MEDDLED.toNanos()) {
                        lies.add("Ready for " + declared + ", the server says " + says);
                    }
                }
            } catch (IllegalStateException | NullPointerException starting) {
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        }
    }
}

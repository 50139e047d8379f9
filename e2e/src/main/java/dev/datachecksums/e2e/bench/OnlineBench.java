package dev.datachecksums.e2e.bench;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.load.Pgbench;
import dev.datachecksums.e2e.online.Subject;
import dev.datachecksums.operator.postgres.LocalPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * {@code make online-bench}: conversions online through the operator against bare SQL on the same data, how soon the report says so, the
 * same offline by hand, and what pgbench has of it. Needs DATACHECKSUMS_ONLINE_PGBIN. Sizes: -Ddck.megabytes, -Ddck.pairs, -Ddck.seconds.
 */
public final class OnlineBench {

    private static final int MEGABYTES = Integer.getInteger("dck.megabytes", 2000);
    private static final int PAIRS = Integer.getInteger("dck.pairs", 5);
    private static final int SECONDS = Integer.getInteger("dck.seconds", 30);
    private static final int BLOCKS_PER_MEGABYTE = 128;
    private static final int TABLES = 20;
    private static final Duration OFTEN = Duration.ofMillis(5);

    private static final String AT_WORK = "SELECT count(*) FROM pg_stat_progress_data_checksums";

    private final Subject subject;
    private final OnlineReport report = new OnlineReport();

    private OnlineBench(Subject subject) {
        this.subject = subject;
    }

    /** Writes its files into the directory that is named first; target/bench otherwise. */
    public static void main(String[] args) throws IOException {
        Path to = Path.of(args.length > 0 ? args[0] : "target/bench");
        try (Subject subject = new Subject(LocalPostgres.builder()
                .checksums(false)
                .set("shared_buffers", "512MB")
                .set("max_wal_size", "8GB"))) {
            new OnlineBench(subject).run(to);
        }
        System.exit(0);
    }

    private void run(Path to) throws IOException {
        // Not one table: another throttle holds from the next relation.
        for (int i = 0; i < TABLES; i++) {
            subject.fill("postgres", "filler" + i, MEGABYTES * BLOCKS_PER_MEGABYTE / TABLES);
        }
        report.fact(
                "data", subject.server().query("SELECT pg_size_pretty(sum(pg_database_size(oid))) FROM pg_database"));
        report.fact("server", subject.server().query("SHOW server_version"));
        subject.declare(DesiredState.DISABLED);
        subject.awaitConverged(DesiredState.DISABLED);
        pairs();
        offline();
        try (Pgbench load = Pgbench.start(
                Subject.bin(), subject.server().address(), subject.server().port(), "postgres", "", 10, 4)) {
            underLoad(load);
            report.write(to, load.samples());
        }
    }

    private void pairs() {
        // The first time costs both more: the operator's code is new to its JVM, the data to the cache.
        subject.set(DesiredState.ENABLED);
        subject.awaitConverged(DesiredState.ENABLED);
        subject.set(DesiredState.DISABLED);
        subject.awaitConverged(DesiredState.DISABLED);
        List<Double> ratios = new ArrayList<>();
        List<Double> cpuRatios = new ArrayList<>();
        List<Long> calls = new ArrayList<>();
        List<Long> bare = new ArrayList<>();
        List<Long> operator = new ArrayList<>();
        List<Long> disableCalls = new ArrayList<>();
        List<Long> disables = new ArrayList<>();
        List<Long> disablesByOperator = new ArrayList<>();
        List<Long> noticed = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            // Suspended it would still look on.
            subject.operator().stop();
            long cpuBefore = cpuTicks();
            long began = System.nanoTime();
            subject.server().execute("SELECT pg_enable_data_checksums()");
            calls.add(millis(began));
            until("on");
            bare.add(millis(began));
            subject.awaitServer(AT_WORK, "0");
            long cpuOfBare = cpuTicks() - cpuBefore;
            long off = System.nanoTime();
            subject.server().execute("SELECT pg_disable_data_checksums()");
            disableCalls.add(millis(off));
            until("off");
            disables.add(millis(off));
            subject.operator().start();
            subject.awaitConverged(DesiredState.DISABLED);

            cpuBefore = cpuTicks();
            long declared = System.nanoTime();
            subject.set(DesiredState.ENABLED);
            until("on");
            long on = System.nanoTime();
            operator.add((on - declared) / 1_000_000);
            subject.awaitConverged(DesiredState.ENABLED);
            noticed.add(millis(on));
            subject.awaitServer(AT_WORK, "0");
            ratios.add((double) operator.get(i) / bare.get(i));
            cpuRatios.add((double) (cpuTicks() - cpuBefore) / Math.max(1, cpuOfBare));
            long undeclared = System.nanoTime();
            subject.set(DesiredState.DISABLED);
            until("off");
            disablesByOperator.add(millis(undeclared));
            subject.awaitConverged(DesiredState.DISABLED);
        }
        report.fact("machine", machine());
        report.fact("call of pg_enable_data_checksums with its connection, ms", calls);
        report.fact("enabling by bare SQL, ms", bare);
        report.fact("enabling through the operator, from the declaration on, ms", operator);
        report.fact(
                "operator / bare SQL, median (limit 1.02)", String.format(Locale.ROOT, "%.3f", Ratios.median(ratios)));
        report.fact(
                "operator / bare SQL, of each pair",
                ratios.stream().map(r -> String.format(Locale.ROOT, "%.3f", r)).toList());
        report.fact("in the status so long after the server said on, ms (limit 2000)", noticed);
        report.fact(
                "the server's CPU time, operator / bare SQL, of each pair",
                cpuRatios.stream()
                        .map(r -> String.format(Locale.ROOT, "%.3f", r))
                        .toList());
        report.fact("call of pg_disable_data_checksums with its connection, ms", disableCalls);
        report.fact("disabling by bare SQL, ms", disables);
        report.fact("disabling through the operator, from the declaration on, ms", disablesByOperator);
    }

    /** What else it was doing: figures of a busy machine are a busy machine's. */
    private static String machine() {
        return Runtime.getRuntime().availableProcessors() + " processors, load of the last minute "
                + String.format(
                        Locale.ROOT,
                        "%.1f",
                        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    /** A careful person's way: stop, pg_checksums, start. */
    private void offline() {
        subject.operator().stop();
        LocalPostgres server = subject.server();
        List<Long> cycles = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            long began = System.nanoTime();
            server.stop(LocalPostgres.StopMode.FAST);
            server.run("pg_checksums", "--enable", server.dataDirectory().toString())
                    .orThrow();
            server.start();
            cycles.add(millis(began));
            server.execute("SELECT pg_disable_data_checksums()");
            until("off");
        }
        report.fact("stop, pg_checksums --enable, start: outage, ms", cycles);
        subject.operator().start();
        subject.awaitConverged(DesiredState.DISABLED);
    }

    private void underLoad(Pgbench load) {
        measured(load, "before", () -> Waits.pause(Duration.ofSeconds(SECONDS)));
        measured(load, "unthrottled", () -> {
            subject.set(DesiredState.ENABLED);
            until("on");
        });
        subject.awaitConverged(DesiredState.ENABLED);
        measured(load, "on", () -> Waits.pause(Duration.ofSeconds(SECONDS)));
        subject.set(DesiredState.DISABLED);
        subject.awaitConverged(DesiredState.DISABLED);
        subject.set("policy.online.costDelay", "20ms");
        measured(load, "20ms/100", () -> {
            subject.set(DesiredState.ENABLED);
            Waits.pause(Duration.ofSeconds(SECONDS));
        });
        subject.set(DesiredState.DISABLED);
        subject.awaitConverged(DesiredState.DISABLED);
        subject.set("policy.online.costDelay", "0ms");
        subject.set("policy.online.maxReplicaLag", "64Mi");
        try (LocalPostgres standby = subject.server().standby()) {
            measured(load, "adaptive, a standby, 64Mi", () -> {
                subject.set(DesiredState.ENABLED);
                until("on");
            });
            long on = System.nanoTime();
            subject.awaitConverged(DesiredState.ENABLED);
            report.fact("adaptive: tightened", subject.told("ThrottleTightened"));
            report.fact("adaptive: relaxed", subject.told("ThrottleRelaxed"));
            while (!"on".equals(standby.query("SHOW data_checksums"))) {
                Waits.pause(OFTEN);
            }
            report.fact("adaptive: the standby said on so long after the primary, ms", millis(on));
        }
        subject.awaitConverged(DesiredState.ENABLED);
        subject.set(DesiredState.DISABLED);
        subject.awaitConverged(DesiredState.DISABLED);
        measured(load, "after", () -> Waits.pause(Duration.ofSeconds(SECONDS)));
    }

    private void measured(Pgbench load, String name, Runnable what) {
        long wal = number("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint");
        long commits = number("SELECT sum(xact_commit)::bigint FROM pg_stat_database");
        long checkpoints = number("SELECT num_timed + num_requested FROM pg_stat_checkpointer");
        Instant from = Instant.now();
        what.run();
        Instant to = Instant.now();
        Waits.pause(Duration.ofMillis(1500));
        long committed = Math.max(1, number("SELECT sum(xact_commit)::bigint FROM pg_stat_database") - commits);
        report.period(new OnlineReport.Period(
                name,
                from,
                to,
                load.tps(from, to),
                (double) (number("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint") - wal) / committed,
                number("SELECT num_timed + num_requested FROM pg_stat_checkpointer") - checkpoints));
    }

    private long number(String sql) {
        return Long.parseLong(Objects.requireNonNull(subject.server().query(sql)));
    }

    /** Through one connection: making one takes the server more than answering. */
    private void until(String state) {
        try (Connection c = subject.server().connect();
                Statement s = c.createStatement()) {
            while (!shown(s).equals(state)) {
                Waits.pause(OFTEN);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String shown(Statement s) throws SQLException {
        try (ResultSet row = s.executeQuery("SHOW data_checksums")) {
            row.next();
            return row.getString(1);
        }
    }

    /** Of the server with all its processes that have ended: what it has cost, however busy the machine is. */
    private long cpuTicks() {
        try {
            Path data = subject.server().dataDirectory();
            String pid =
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip();
            // After the name in parentheses: state is the first, utime the twelfth.
            String stat = Files.readString(Path.of("/proc", pid, "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = 0;
            for (int i = 11; i <= 14; i++) {
                ticks += Long.parseLong(fields[i]);
            }
            return ticks;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long millis(long began) {
        return (System.nanoTime() - began) / 1_000_000;
    }
}

package dev.datachecksums.e2e.bench;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.Arguments;
import dev.datachecksums.e2e.load.Pgbench;
import dev.datachecksums.e2e.online.Subject;
import dev.datachecksums.operator.postgres.LocalPostgres;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code make online-bench}: conversions online through the operator against bare SQL on the same data, how soon the report says so, the
 * same offline by hand, and what pgbench has of it. Needs DATACHECKSUMS_ONLINE_PGBIN. Arguments: the megabytes of data (2000),
 * {@code --pairs=5}, {@code --seconds=30} (how long a period of pgbench is), {@code --to=target/bench}.
 */
public final class OnlineBench {

    private static final int BLOCKS_PER_MEGABYTE = 128;
    private static final int OFFLINE_CYCLES = 3;

    private OnlineBench() {}

    /** Runs it and writes its report. */
    public static void main(String[] args) throws IOException {
        Arguments options = Arguments.orExit(args, Map.of("pairs", "5", "seconds", "30", "to", "target/bench"));
        OnlineReport report = new OnlineReport();
        // WAL that is kept for the next run: a new file costs more than one that is there already.
        try (Subject subject = new Subject(LocalPostgres.builder()
                .checksums(false)
                .set("shared_buffers", "512MB")
                .set("min_wal_size", "4GB"))) {
            report.fact("machine", machine());
            prepare(subject, options.sizes(2000).get(0), report);
            new OnlinePairs(subject, report).run(options.number("pairs"));
            offline(subject, report);
            try (Pgbench load = Pgbench.start(
                    Subject.bin(), subject.server().address(), subject.server().port(), "postgres", "", 10, 4)) {
                new OnlineLoad(subject, load, report, options.number("seconds")).run();
                report.fact("machine at the end", machine());
                report.write(Path.of(options.text("to")), load.samples());
            }
        }
        System.exit(0);
    }

    /** Not one table: another throttle holds from the next relation. */
    private static void prepare(Subject subject, int megabytes, OnlineReport report) {
        int tables = 20;
        for (int i = 0; i < tables; i++) {
            subject.fill("postgres", "filler" + i, megabytes * BLOCKS_PER_MEGABYTE / tables);
        }
        report.fact(
                "data", subject.server().query("SELECT pg_size_pretty(sum(pg_database_size(oid))) FROM pg_database"));
        report.fact("server", subject.server().query("SHOW server_version"));
        subject.declare(DesiredState.DISABLED);
        subject.awaitConverged(DesiredState.DISABLED);
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
    private static void offline(Subject subject, OnlineReport report) {
        subject.operator().stop();
        LocalPostgres server = subject.server();
        List<Long> cycles = new ArrayList<>();
        for (int i = 0; i < OFFLINE_CYCLES; i++) {
            server.execute("CHECKPOINT");
            ServerProbe.Watch cycle = new ServerProbe.Watch();
            server.stop(LocalPostgres.StopMode.FAST);
            server.run("pg_checksums", "--enable", server.dataDirectory().toString())
                    .orThrow();
            server.start();
            cycles.add(cycle.millis());
            server.execute("SELECT pg_disable_data_checksums()");
            new ServerProbe(server).until("off");
        }
        report.fact("offline by hand, stop, pg_checksums --enable, start: outage, ms", cycles);
        subject.operator().start();
        subject.awaitConverged(DesiredState.DISABLED);
    }
}

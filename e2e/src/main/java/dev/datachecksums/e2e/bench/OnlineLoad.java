package dev.datachecksums.e2e.bench;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.load.Pgbench;
import dev.datachecksums.e2e.online.Subject;
import dev.datachecksums.operator.postgres.LocalPostgres;
import java.time.Duration;
import java.time.Instant;

/** pgbench before, during and after a conversion: unthrottled, at 20 ms / 100, and by the lag of a standby. */
final class OnlineLoad {

    private static final Duration PROGRESS_OF_PGBENCH = Duration.ofMillis(1500);
    /** A throttle may make hours of it: what a period is like is seen sooner. */
    private static final int LONGEST_PERIODS = 4;

    private final Subject subject;
    private final ServerProbe server;
    private final Pgbench load;
    private final OnlineReport report;
    private final Duration period;

    OnlineLoad(Subject subject, Pgbench load, OnlineReport report, int seconds) {
        this.subject = subject;
        this.server = new ServerProbe(subject.server());
        this.load = load;
        this.report = report;
        this.period = Duration.ofSeconds(seconds);
    }

    void run() {
        converted("unthrottled", period.multipliedBy(LONGEST_PERIODS));
        subject.set("policy.online.costDelay", "20ms");
        converted("20ms/100", period);
        try (LocalPostgres standby = subject.server().standby()) {
            report.fact("adaptive: standby", standby.query("SHOW server_version"));
            subject.set("policy.online.maxReplicaLag", "64Mi");
            converted("adaptive, a standby, 64Mi", period.multipliedBy(LONGEST_PERIODS));
            report.fact("adaptive: tightened", subject.told("ThrottleTightened"));
            report.fact("adaptive: relaxed", subject.told("ThrottleRelaxed"));
        }
    }

    /** Before, during, for so long at most, and after; then back, unthrottled. */
    private void converted(String how, Duration atMost) {
        measured(how + ": before", () -> Waits.pause(period));
        measured(how + ": during", () -> {
            subject.set(DesiredState.ENABLED);
            boolean done = server.untilOrFor("on", atMost).isPresent();
            report.fact(how + ": converted within the period", done);
        });
        subject.set("policy.online.costDelay", "0ms");
        subject.set("policy.online.maxReplicaLag", "1Ti");
        server.until("on");
        subject.awaitConverged(DesiredState.ENABLED);
        measured(how + ": after", () -> Waits.pause(period));
        subject.set(DesiredState.DISABLED);
        subject.awaitConverged(DesiredState.DISABLED);
    }

    /** From a checkpoint on: how far the last one is back decides how many whole pages go into WAL. */
    private void measured(String name, Runnable what) {
        subject.server().execute("CHECKPOINT");
        long wal = server.number("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint");
        long commits = commits();
        long checkpoints = checkpoints();
        Instant from = Instant.now();
        what.run();
        Instant to = Instant.now();
        // Its last second is reported, and the server's counters are written, a moment later.
        Waits.pause(PROGRESS_OF_PGBENCH);
        long committed = Math.max(1, commits() - commits);
        report.period(new OnlineReport.Period(
                name,
                from,
                to,
                load.tps(from, to),
                (double) (server.number("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint") - wal) / committed,
                checkpoints() - checkpoints));
    }

    private long commits() {
        return server.number("SELECT sum(xact_commit)::bigint FROM pg_stat_database");
    }

    private long checkpoints() {
        return server.number("SELECT num_timed + num_requested FROM pg_stat_checkpointer");
    }
}

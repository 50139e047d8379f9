package dev.datachecksums.e2e.bench;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.online.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Conversions there and back on the same data by turns, by bare SQL with no operator at work and through the operator; the order changes
 * with each pair, so that what drifts does so for both.
 */
final class OnlinePairs {

    private static final Duration AT_REST = Duration.ofSeconds(2);

    private final Subject subject;
    private final ServerProbe server;
    private final OnlineReport report;

    OnlinePairs(Subject subject, OnlineReport report) {
        this.subject = subject;
        this.server = new ServerProbe(subject.server());
        this.report = report;
    }

    /**
     * One conversion and the way back, in milliseconds.
     *
     * @param call until the function had returned; 0 through the operator
     * @param enable from the call or the declaration until the server said on
     * @param run of that, how long it was under way by the server's word
     * @param cpu ticks of the server meanwhile
     * @param noticed how long after that the status said so; 0 without the operator
     * @param disableCall until the other function had returned
     * @param disable from its call or the declaration until the server said off
     */
    private record Turn(long call, long enable, long run, long cpu, long noticed, long disableCall, long disable) {}

    private record Pair(Turn bare, Turn operator) {
        double ratio(ToLongFunction<Turn> of) {
            return (double) of.applyAsLong(operator) / Math.max(1, of.applyAsLong(bare));
        }
    }

    void run(int count) {
        // The first times cost both more: the operator's code is new to its JVM, the data to the cache, the WAL's files
        // to the disk.
        throughOperator();
        bySql();
        throughOperator();
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (i % 2 == 0) {
                Turn operator = throughOperator();
                pairs.add(new Pair(bySql(), operator));
            } else {
                Turn bare = bySql();
                pairs.add(new Pair(bare, throughOperator()));
            }
        }
        report(pairs);
    }

    private Turn bySql() {
        // Suspended it would still look on.
        subject.operator().stop();
        settle();
        long cpu = server.cpuTicks();
        ServerProbe.Watch watch = new ServerProbe.Watch();
        subject.server().execute("SELECT pg_enable_data_checksums()");
        long call = watch.millis();
        long run = server.until("on");
        long enable = watch.millis();
        server.untilNobodyIsAtWork();
        cpu = server.cpuTicks() - cpu;
        ServerProbe.Watch back = new ServerProbe.Watch();
        subject.server().execute("SELECT pg_disable_data_checksums()");
        long disableCall = back.millis();
        server.until("off");
        long disable = back.millis();
        server.untilNobodyIsAtWork();
        subject.operator().start();
        return new Turn(call, enable, run, cpu, 0, disableCall, disable);
    }

    private Turn throughOperator() {
        subject.awaitConverged(DesiredState.DISABLED);
        settle();
        long cpu = server.cpuTicks();
        ServerProbe.Watch watch = new ServerProbe.Watch();
        subject.set(DesiredState.ENABLED);
        long run = server.until("on");
        long enable = watch.millis();
        subject.awaitConverged(DesiredState.ENABLED);
        long noticed = watch.millis() - enable;
        server.untilNobodyIsAtWork();
        cpu = server.cpuTicks() - cpu;
        ServerProbe.Watch back = new ServerProbe.Watch();
        subject.set(DesiredState.DISABLED);
        server.until("off");
        long disable = back.millis();
        subject.awaitConverged(DesiredState.DISABLED);
        server.untilNobodyIsAtWork();
        return new Turn(0, enable, run, cpu, noticed, 0, disable);
    }

    /** The same for both: nothing dirty, WAL to write into, and whoever was started or stopped has come to rest. */
    private void settle() {
        subject.server().execute("CHECKPOINT");
        Waits.pause(AT_REST);
    }

    private void report(List<Pair> pairs) {
        report.fact(
                "call of pg_enable_data_checksums with its connection, ms",
                of(pairs, p -> p.bare().call()));
        report.fact("enabling by bare SQL, ms", of(pairs, p -> p.bare().enable()));
        report.fact(
                "enabling through the operator, from the declaration on, ms",
                of(pairs, p -> p.operator().enable()));
        report.fact("operator / bare SQL, median (limit 1.02)", median(pairs, p -> p.ratio(Turn::enable)));
        report.fact("operator / bare SQL, of each pair", ratios(pairs, p -> p.ratio(Turn::enable)));
        report.fact(
                "of that under way by the server's word, bare SQL, ms",
                of(pairs, p -> p.bare().run()));
        report.fact(
                "of that under way by the server's word, operator, ms",
                of(pairs, p -> p.operator().run()));
        report.fact("under way, operator / bare SQL, median", median(pairs, p -> p.ratio(Turn::run)));
        report.fact("the server's processor time, operator / bare SQL, median", median(pairs, p -> p.ratio(Turn::cpu)));
        report.fact(
                "the server's processor time, operator / bare SQL, of each pair",
                ratios(pairs, p -> p.ratio(Turn::cpu)));
        report.fact(
                "in the status so long after the server said on, ms (limit 2000)",
                of(pairs, p -> p.operator().noticed()));
        report.fact(
                "call of pg_disable_data_checksums with its connection, ms",
                of(pairs, p -> p.bare().disableCall()));
        report.fact("disabling by bare SQL, ms", of(pairs, p -> p.bare().disable()));
        report.fact(
                "disabling through the operator, from the declaration on, ms",
                of(pairs, p -> p.operator().disable()));
    }

    private static List<Long> of(List<Pair> pairs, ToLongFunction<Pair> what) {
        return pairs.stream().map(what::applyAsLong).toList();
    }

    private static List<Double> ratios(List<Pair> pairs, ToDoubleFunction<Pair> what) {
        return pairs.stream().map(p -> rounded(what.applyAsDouble(p))).toList();
    }

    private static double median(List<Pair> pairs, ToDoubleFunction<Pair> what) {
        return rounded(Ratios.median(pairs.stream().map(what::applyAsDouble).toList()));
    }

    private static double rounded(double ratio) {
        return Double.parseDouble(String.format(Locale.ROOT, "%.3f", ratio));
    }
}

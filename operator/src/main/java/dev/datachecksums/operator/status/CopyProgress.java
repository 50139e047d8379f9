package dev.datachecksums.operator.status;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.ProgressStatus;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobLog;
import dev.datachecksums.operator.offline.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far a copy is: it is read and written once, read and written again by pg_checksums, and read a third time to verify it. Each takes
 * its share of the percents; what follows after them does not depend on the size.
 */
final class CopyProgress {

    private static final int READY = 96;
    private static final int ALL_BUT_SAID = 99;

    /** A pass over all of the data: the percents before it and after it, and the step that carries its bytes. */
    private record Pass(Step step, Step before, int from, int to) {}

    private static final List<Pass> PASSES = List.of(
            new Pass(Step.COPYING, Step.STARTED, 0, 45),
            new Pass(Step.CONVERTING, Step.RECOVERED, 45, 80),
            new Pass(Step.VERIFYING, Step.COPYCONVERTED, 80, 95));

    private CopyProgress() {}

    static ProgressStatus of(Observation o, ConversionStatus c) {
        JobLog log = o.job(c.id()).map(JobFacts::log).orElse(JobLog.EMPTY);
        int percent = Math.max(percent(log), before(o, c));
        boolean passing = !log.said(Step.READY) && log.bytesTotal() > 0;
        return Progress.report(
                o,
                log,
                percent,
                passing ? Long.valueOf(Math.min(log.bytesDone(), log.bytesTotal())) : null,
                passing ? Long.valueOf(log.bytesTotal()) : c.bytes(),
                rate(log),
                left(log),
                waitingOn(log));
    }

    /** What was reported of this try; it never goes back, also where the log has not been read again yet. */
    private static int before(Observation o, ConversionStatus c) {
        ConversionStatus last = o.status().conversion();
        ProgressStatus said = o.status().progress();
        boolean same = last != null && last.id().equals(c.id());
        return same && said != null && said.percent() != null ? said.percent() : 0;
    }

    private static int percent(JobLog log) {
        if (log.said(Step.STOPPED)) {
            return ALL_BUT_SAID;
        }
        if (log.said(Step.READY)) {
            return READY;
        }
        int percent = 0;
        for (Pass p : PASSES) {
            if (log.said(p.step())) {
                percent = p.from() + (int) (share(log, p) * (p.to() - p.from()));
            }
        }
        return percent;
    }

    private static double share(JobLog log, Pass p) {
        boolean done = PASSES.stream().anyMatch(later -> later.from() == p.to() && log.said(later.before()));
        return done ? 1 : log.bytesTotal() == 0 ? 0 : Math.min(1, (double) log.bytesDone() / log.bytesTotal());
    }

    private static Optional<Pass> now(JobLog log) {
        return log.said(Step.READY)
                ? Optional.empty()
                : PASSES.stream().filter(p -> log.said(p.step())).reduce((a, b) -> b);
    }

    /** Of the pass under way. */
    private static Optional<Long> rate(JobLog log) {
        return now(log).flatMap(p -> Progress.rate(log, log.at(p.before()), log.at(p.step())));
    }

    /** Of the preparation: the passes to come go at the rate of this one. */
    private static Optional<Duration> left(JobLog log) {
        Optional<Pass> now = now(log);
        return rate(log).filter(r -> r > 0 && now.isPresent()).map(r -> {
            long later = PASSES.size() - 1L - PASSES.indexOf(now.get());
            long bytes = Math.max(0, log.bytesTotal() - log.bytesDone()) + later * log.bytesTotal();
            return Duration.ofSeconds(bytes / r);
        });
    }

    private static @Nullable String waitingOn(JobLog log) {
        if (log.last().isEmpty()) {
            return "the Job's pod";
        }
        return switch (log.last().get()) {
            case STARTED, RESTORED -> "the Job's checks";
            case COPIED -> "the copy's recovery";
            case COPYCONVERTED, FOLLOWING ->
                log.behind()
                        .map(b -> "the copy's replay of " + b + " bytes of WAL")
                        .orElse("the copy's replay");
            case READY -> "the switch";
            case ARMED -> "the server's shutdown";
            case SWAPPED, CONVERTED, LIFTED -> "the server's start";
            case SERVING, CLEANED, DONE -> "the removal of the old data directory";
            default -> null;
        };
    }
}

package dev.datachecksums.operator.status;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.ProgressStatus;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobLog;
import dev.datachecksums.operator.offline.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How far a conversion is, from what the Job says. 100 only when the server says so, and then there is no progress any more. */
final class Progress {

    private static final int ALL_BUT_SAID = 99;

    private Progress() {}

    static ProgressStatus of(Observation o, ConversionStatus c) {
        JobLog log = o.job(c.id()).map(JobFacts::log).orElse(JobLog.EMPTY);
        Optional<Instant> began = log.at(Step.STOPPED);
        Long total = log.bytesTotal() > 0 ? Long.valueOf(log.bytesTotal()) : c.bytes();
        int percent = log.said(Step.CONVERTED) ? ALL_BUT_SAID : percent(log);
        Optional<Long> rate = rate(log, began, log.at(Step.REWRITING));
        Optional<Duration> left = log.said(Step.CONVERTED) ? Optional.empty() : left(log, rate);
        return report(
                o,
                log,
                percent,
                log.said(Step.CONVERTED) ? total : Long.valueOf(log.bytesDone()),
                total,
                rate,
                left,
                waitingOn(log));
    }

    /** What the Job of an offline road has reached. */
    static ProgressStatus report(
            Observation o,
            JobLog log,
            int percent,
            @Nullable Long done,
            @Nullable Long total,
            Optional<Long> rate,
            Optional<Duration> left,
            @Nullable String waitingOn) {
        return new ProgressStatus(
                percent + "%",
                percent,
                done,
                total,
                rate.orElse(null),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                waitingOn,
                left.map(Durations::format).orElse(null),
                left.map(l -> Times.seconds(o.at().plus(l))).orElse(null),
                log.last().flatMap(log::at).map(Times::seconds).orElse(null));
    }

    private static int percent(JobLog log) {
        return log.bytesTotal() == 0 ? 0 : (int) Math.min(ALL_BUT_SAID, log.bytesDone() * 100 / log.bytesTotal());
    }

    /** Bytes a second of the work that began then and was last heard of at that time. */
    static Optional<Long> rate(JobLog log, Optional<Instant> began, Optional<Instant> at) {
        if (began.isEmpty() || at.isEmpty() || log.bytesDone() == 0) {
            return Optional.empty();
        }
        long ms = Math.max(1, Duration.between(began.get(), at.get()).toMillis());
        return Optional.of(log.bytesDone() * 1000 / ms);
    }

    private static Optional<Duration> left(JobLog log, Optional<Long> rate) {
        return rate.filter(r -> r > 0)
                .map(r -> Duration.ofSeconds(Math.max(0, log.bytesTotal() - log.bytesDone()) / r));
    }

    private static @Nullable String waitingOn(JobLog log) {
        if (log.last().isEmpty()) {
            return "the Job's pod";
        }
        return switch (log.last().get()) {
            case STARTED, RESTORED -> "the Job's checks";
            case READY -> "a CHECKPOINT, then the interlock";
            case ARMED -> "the server's shutdown";
            case LIFTED, DONE -> "the server's start";
            default -> null;
        };
    }
}

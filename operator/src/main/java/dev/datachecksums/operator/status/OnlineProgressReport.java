package dev.datachecksums.operator.status;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.OnlineRunStatus;
import dev.datachecksums.api.v1alpha1.ProgressStatus;
import dev.datachecksums.operator.decide.online.ClusterProgress;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.OnlineView;
import dev.datachecksums.operator.postgres.online.CurrentRelation;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Launcher;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Worker;
import dev.datachecksums.operator.postgres.online.Throttle;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How far an online conversion is. What was reported of the same try is never taken back; 100 only when the server says so. */
final class OnlineProgressReport {

    private OnlineProgressReport() {}

    static ProgressStatus of(Observation o, ConversionStatus c) {
        ProgressStatus before =
                o.conversion().filter(x -> x.id().equals(c.id())).isPresent()
                        ? o.status().progress()
                        : null;
        if (o.online().seen().isEmpty()) {
            return before == null ? begun(c) : before;
        }
        OnlineView view = o.online().seen().get();
        if (c.to() == DesiredState.DISABLED) {
            return disabling(o, view);
        }
        Optional<ClusterProgress> progress = view.progress().map(p -> notBehind(p, before));
        if (progress.isEmpty()) {
            return before == null ? begun(c) : before;
        }
        return of(o, c, view, progress.get());
    }

    private static ClusterProgress notBehind(ClusterProgress p, @Nullable ProgressStatus before) {
        if (before == null) {
            return p;
        }
        Integer percent = before.percent();
        Long bytes = before.bytesDone();
        return p.notBehind(percent == null ? 0 : percent, bytes == null ? 0 : bytes);
    }

    private static ProgressStatus of(Observation o, ConversionStatus c, OnlineView view, ClusterProgress p) {
        Optional<Launcher> launcher = view.facts().progress().launcher();
        Optional<Worker> worker = view.facts().progress().worker();
        Throttle throttle = throttle(c);
        Optional<Duration> left = view.left(throttle);
        int percent = p.percent();
        return new ProgressStatus(
                percent + "%",
                percent,
                p.bytesDone(),
                p.bytesTotal(),
                view.bytesPerSecond().orElse(null),
                launcher.map(Launcher::databasesDone).orElse(null),
                launcher.map(Launcher::databasesTotal).orElse(null),
                worker.map(Worker::relationsDone).orElse(null),
                worker.map(Worker::relationsTotal).orElse(null),
                worker.map(Worker::blocksDone).orElse(null),
                worker.map(Worker::blocksTotal).orElse(null),
                worker.map(Worker::database).orElse(null),
                worker.flatMap(Worker::relation).map(CurrentRelation::name).orElse(null),
                view.waitingOn(o.at(), throttle)
                        .map(w -> w.reason() + ": " + w.message())
                        .orElse(null),
                left.map(Durations::format).orElse(null),
                left.map(l -> Times.seconds(o.at().plus(l))).orElse(null),
                view.moved().map(Times::seconds).orElse(null));
    }

    private static Throttle throttle(ConversionStatus c) {
        OnlineRunStatus run = c.online();
        if (run == null || run.costDelay() == null || run.costLimit() == null) {
            return Throttle.NONE;
        }
        try {
            return new Throttle(Durations.parse(run.costDelay()), run.costLimit());
        } catch (IllegalArgumentException edited) {
            return Throttle.NONE;
        }
    }

    private static ProgressStatus begun(ConversionStatus c) {
        return bare("0%", 0, 0L, c.bytes(), null, null);
    }

    /** No page is gone through, so that there is nothing to count. */
    private static ProgressStatus disabling(Observation o, OnlineView view) {
        String waits = view.waitingOn(o.at(), Throttle.NONE)
                .map(w -> w.reason() + ": " + w.message())
                .orElse(null);
        return bare("0%", 0, null, null, waits, view.moved().map(Times::seconds).orElse(null));
    }

    private static ProgressStatus bare(
            String summary,
            int percent,
            @Nullable Long done,
            @Nullable Long total,
            @Nullable String waits,
            @Nullable String moved) {
        return new ProgressStatus(
                summary, percent, done, total, null, null, null, null, null, null, null, null, null, waits, null, null,
                moved);
    }
}

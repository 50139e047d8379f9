package dev.datachecksums.operator.decide.online;

import dev.datachecksums.operator.postgres.online.OnlineProgress;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Step;
import org.jspecify.annotations.Nullable;

/**
 * All counters of a run at one moment: whatever differs, in whichever direction, is a sign of life. Counters of blocks go backwards
 * with each relation.
 */
public record Counters(
        int launcherPid,
        Step launcherStep,
        @Nullable Long databasesDone,
        int workerPid,
        Step workerStep,
        @Nullable Long relationsDone,
        @Nullable Long blocksDone) {
    /** The counters; zero and unknown where there is no process. */
    public static Counters of(OnlineProgress p) {
        return new Counters(
                p.launcher().map(l -> l.process().pid()).orElse(0),
                p.launcher().map(l -> l.process().step()).orElse(Step.UNKNOWN),
                p.launcher().map(l -> l.databasesDone()).orElse(null),
                p.worker().map(w -> w.process().pid()).orElse(0),
                p.worker().map(w -> w.process().step()).orElse(Step.UNKNOWN),
                p.worker().map(w -> w.relationsDone()).orElse(null),
                p.worker().map(w -> w.blocksDone()).orElse(null));
    }
}

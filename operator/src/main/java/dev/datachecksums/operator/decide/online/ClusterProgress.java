package dev.datachecksums.operator.decide.online;

import dev.datachecksums.operator.postgres.online.OnlineFacts;
import dev.datachecksums.operator.postgres.online.OnlineFacts.DatabaseSize;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Launcher;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Step;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far a run is through the whole cluster. The server itself counts the relation and the database that it is at, nothing more.
 *
 * @param bytesDone gone through so far
 * @param bytesTotal gone through at the end, as it looks now
 */
public record ClusterProgress(long bytesDone, long bytesTotal) {
    /** 100 is the server's to say. */
    private static final int ALL_BUT_SAID = 99;

    /**
     * The progress of the run that is under way; empty if none is.
     *
     * @param map of the current worker, if it could be read
     * @param workerBlocksBefore what {@link OnlineFacts#workerBlocks} was before the run, if that was noted
     */
    public static Optional<ClusterProgress> of(
            OnlineFacts f, Optional<RelationMap> map, @Nullable Long workerBlocksBefore) {
        return f.progress().launcher().map(l -> of(f, l, map, workerBlocksBefore));
    }

    private static ClusterProgress of(
            OnlineFacts f, Launcher launcher, Optional<RelationMap> map, @Nullable Long workerBlocksBefore) {
        Optional<Worker> worker = f.progress().worker();
        List<DatabaseSize> rest = new ArrayList<>(f.databases());
        rest.removeIf(DatabaseSize::invalid);
        Optional<DatabaseSize> current = worker.flatMap(
                w -> rest.stream().filter(d -> d.oid() == w.databaseOid()).findFirst());
        current.ifPresent(rest::remove);
        long counted = launcher.databasesDone() == null ? 0 : launcher.databasesDone();
        int finished = (int) Math.min(rest.size(), counted);
        long remaining = sum(rest.subList(finished, rest.size()));
        long done =
                finished == 0 ? 0 : finished(f, sum(rest.subList(0, finished)) + f.sharedBytes(), workerBlocksBefore);
        if (current.isPresent()) {
            long size = current.get().bytes() + (finished == 0 ? f.sharedBytes() : 0);
            Worker w = worker.orElseThrow();
            Optional<RelationMap> known = map.filter(m -> m.of(w));
            long total = known.map(RelationMap::total).orElse(size);
            long through = w.process().step() == Step.WAITING_ON_TEMPORARY_TABLES
                    ? total
                    : Math.min(total, known.map(m -> m.done(w)).orElseGet(() -> blocks(w)));
            done += through;
            remaining += total - through;
        } else if (finished == 0) {
            remaining += f.sharedBytes();
        }
        return new ClusterProgress(done, done + remaining);
    }

    /** What workers counted is what was gone through, whatever size the databases have by now; unless the counters were reset. */
    private static long finished(OnlineFacts f, long bySize, @Nullable Long before) {
        if (before == null || f.workerBlocks().value().isEmpty()) {
            return bySize;
        }
        long counted = (f.workerBlocks().value().get() - before) * OnlineFacts.BLOCK;
        return counted < bySize / 2 || counted > bySize + bySize / 10 ? bySize : counted;
    }

    private static long sum(List<DatabaseSize> databases) {
        return databases.stream().mapToLong(DatabaseSize::bytes).sum();
    }

    private static long blocks(Worker w) {
        Long done = w.blocksDone();
        return w.relation().isEmpty() || done == null ? 0 : done * OnlineFacts.BLOCK;
    }

    /** Whole percent, at most 99. */
    public int percent() {
        return bytesTotal <= 0 ? 0 : (int) Math.min(ALL_BUT_SAID, Math.max(0, bytesDone * 100 / bytesTotal));
    }

    public long bytesLeft() {
        return Math.max(0, bytesTotal - bytesDone);
    }

    /** The same, but not behind what was said before: estimates of sizes may be corrected downwards, what is done stays done. */
    public ClusterProgress notBehind(long percent, long bytes) {
        long done = Math.max(bytes, bytesDone);
        long total = Math.max(done, bytesTotal);
        long atLeast = (total * Math.min(percent, ALL_BUT_SAID) + 99) / 100;
        return new ClusterProgress(Math.max(done, atLeast), total);
    }
}

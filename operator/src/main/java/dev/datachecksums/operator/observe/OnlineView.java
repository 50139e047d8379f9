package dev.datachecksums.operator.observe;

import dev.datachecksums.operator.decide.online.ClusterProgress;
import dev.datachecksums.operator.decide.online.Estimate;
import dev.datachecksums.operator.decide.online.WaitingOn;
import dev.datachecksums.operator.postgres.online.DiskSpace;
import dev.datachecksums.operator.postgres.online.OnlineFacts;
import dev.datachecksums.operator.postgres.online.TemporaryTables;
import dev.datachecksums.operator.postgres.online.Throttle;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How the server's own switch of checksums goes, with what several looks say together.
 *
 * @param facts what it says now
 * @param temporary tables of the worker's database while it waits for those; before a run, of every database that can be asked
 * @param walSpace of the volume of pg_wal, not older than ten seconds; empty where the server's image has no {@code df}
 * @param progress through the whole cluster; empty where nothing is under way
 * @param bytesPerSecond of the last minute
 * @param moved when a counter moved last
 */
public record OnlineView(
        OnlineFacts facts,
        List<TemporaryTables> temporary,
        Optional<DiskSpace> walSpace,
        Optional<ClusterProgress> progress,
        Optional<Long> bytesPerSecond,
        Optional<Instant> moved) {
    /** Shorter waits are part of any run: a worker is being started, a barrier passes, a statement holds a lock. */
    private static final Duration WORTH_A_WORD = Duration.ofSeconds(2);

    /** Copies the list. */
    public OnlineView {
        temporary = List.copyOf(temporary);
    }

    /** Time to the end at this throttle. */
    public Optional<Duration> left(Throttle throttle) {
        return progress.flatMap(p -> Estimate.left(p, bytesPerSecond, throttle, facts.costs()));
    }

    /** What it waits for, once it has stood for a moment; a throttle that is too tight at once, for it never stands. */
    public Optional<WaitingOn> waitingOn(Instant now, Throttle throttle) {
        Optional<Duration> throttled =
                progress.flatMap(p -> Estimate.left(p, Optional.empty(), throttle, facts.costs()));
        return WaitingOn.of(facts, temporary, throttled, now)
                .filter(w -> w.throttle()
                        || moved.isEmpty()
                        || Duration.between(moved.get(), now).compareTo(WORTH_A_WORD) >= 0);
    }
}

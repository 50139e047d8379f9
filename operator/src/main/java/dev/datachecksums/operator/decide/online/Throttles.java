package dev.datachecksums.operator.decide.online;

import dev.datachecksums.operator.postgres.online.OnlineFacts;
import dev.datachecksums.operator.postgres.online.OnlineFacts.Costs;
import dev.datachecksums.operator.postgres.online.Throttle;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What throttles mean in bytes per second. A page that is in memory costs hit and dirty: with the defaults 21 points, so that
 * {@code costLimit / 21} pages go by in each {@code costDelay}, but at least one in four of them: no pause is longer. Pages from disk
 * cost a little more.
 */
public final class Throttles {
    /** Tighter than this no run would be adapted: it would never end. */
    static final long SLOWEST = 1L << 20;
    /** From here on being throttled is as good as not. */
    static final long UNTHROTTLED_FROM = 256L << 20;

    private static final Duration PAUSE = Duration.ofMillis(10);
    /** A page that costs more than the limit has a longer pause, in proportion, up to so many of them. */
    private static final int LONGEST_PAUSE = 4;

    private Throttles() {}

    /** The most that it lets through, in bytes per second; empty if it does not throttle. */
    public static OptionalLong ceiling(Throttle t, Costs costs) {
        int page = costs.hit() + costs.dirty();
        if (t.unthrottled() || page <= 0) {
            return OptionalLong.empty();
        }
        double pausesPerPage = Math.min(LONGEST_PAUSE, (double) page / t.costLimit());
        double pagesPerSecond = 1000.0 / (pausesPerPage * t.costDelay().toMillis());
        return OptionalLong.of(Math.max(1, (long) (pagesPerSecond * OnlineFacts.BLOCK)));
    }

    /** One that lets through about so much. */
    static Throttle forRate(long bytesPerSecond, Costs costs) {
        int page = Math.max(1, costs.hit() + costs.dirty());
        double perPause = (double) bytesPerSecond / OnlineFacts.BLOCK * PAUSE.toMillis() / 1000 * page;
        return new Throttle(PAUSE, (int) Math.max(page, Math.min(1_000_000, Math.round(perPause))));
    }

    /** Half as fast as it goes now, if it can still go slower. */
    static Optional<Throttle> tighter(Throttle now, Optional<Long> measured, Costs costs) {
        long ceiling = ceiling(now, costs).orElse(UNTHROTTLED_FROM);
        long goes = Math.min(ceiling, measured.filter(m -> m > 0).orElse(ceiling));
        long target = Math.max(SLOWEST, goes / 2);
        return target >= ceiling - ceiling / 10 ? Optional.empty() : Optional.of(forRate(target, costs));
    }

    /** Twice as fast, but not faster than was asked for. */
    static Throttle relaxed(Throttle now, Throttle asked, Costs costs) {
        long target = ceiling(now, costs).orElse(UNTHROTTLED_FROM) * 2;
        return target >= ceiling(asked, costs).orElse(UNTHROTTLED_FROM) ? asked : forRate(target, costs);
    }
}

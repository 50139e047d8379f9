package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.OnlineRunStatus;
import dev.datachecksums.operator.decide.online.Run;
import dev.datachecksums.operator.postgres.online.OnlineFacts;
import dev.datachecksums.operator.postgres.online.Throttle;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A run as the status remembers it. What somebody has edited there counts as not remembered. */
final class RunMemory {

    private RunMemory() {}

    static Run of(ConversionStatus c, OnlineFacts f, Throttle asked) {
        OnlineRunStatus s = c.online();
        if (s == null) {
            return new Run(c.to(), null, f.serverStarted(), f.timeline(), asked, asked, null, null);
        }
        Integer timeline = s.timeline();
        Throttle passed = throttle(s.askedCostDelay(), s.askedCostLimit(), asked);
        return new Run(
                c.to(),
                s.called() == null ? null : Times.parse(s.called()),
                Times.parse(s.serverStarted()),
                timeline == null ? f.timeline() : timeline,
                passed,
                throttle(s.costDelay(), s.costLimit(), passed),
                s.tuned() == null ? null : Times.parse(s.tuned()),
                s.workerBlocks());
    }

    private static Throttle throttle(@Nullable String delay, @Nullable Integer limit, Throttle otherwise) {
        if (delay == null || limit == null) {
            return otherwise;
        }
        try {
            return new Throttle(Durations.parse(delay), limit);
        } catch (IllegalArgumentException edited) {
            return otherwise;
        }
    }

    /** The conversion, told to the server now. A run that is under way already has counted blocks that nobody noted. */
    static ConversionStatus called(ConversionStatus c, OnlineFacts f, Throttle throttle, Instant now) {
        OnlineRunStatus before = c.online();
        Long blocks = f.progress().launcher().isPresent()
                ? before == null ? null : before.workerBlocks()
                : f.workerBlocks().value().orElse(null);
        return c.told(new OnlineRunStatus(
                now.toString(),
                f.serverStarted().toString(),
                f.timeline(),
                delay(throttle),
                throttle.costLimit(),
                delay(throttle),
                throttle.costLimit(),
                null,
                null,
                blocks,
                null));
    }

    /** The conversion, with another throttle passed on now. */
    static ConversionStatus tuned(ConversionStatus c, Throttle asked, Throttle throttle, String why, Instant now) {
        OnlineRunStatus s = c.online();
        if (s == null) {
            return c;
        }
        return c.told(new OnlineRunStatus(
                s.called(),
                s.serverStarted(),
                s.timeline(),
                delay(asked),
                asked.costLimit(),
                delay(throttle),
                throttle.costLimit(),
                now.toString(),
                asked.equals(throttle) ? null : why,
                s.workerBlocks(),
                s.aborted()));
    }

    /** To the millisecond: read back it has to be the same, or it would be passed on again and again. */
    private static String delay(Throttle t) {
        return t.costDelay().toMillis() + "ms";
    }

    /** The conversion, told to give up now. */
    static ConversionStatus aborted(ConversionStatus c, Instant now) {
        OnlineRunStatus s = c.online();
        OnlineRunStatus known =
                s == null ? new OnlineRunStatus(null, null, null, null, null, null, null, null, null, null, null) : s;
        return c.told(known.aborted(now.toString()));
    }

    /** Whether it was told to give up not long before now. */
    static boolean abortedSince(ConversionStatus c, Instant then) {
        OnlineRunStatus s = c.online();
        return s != null && s.aborted() != null && Times.parse(s.aborted()).isAfter(then);
    }
}

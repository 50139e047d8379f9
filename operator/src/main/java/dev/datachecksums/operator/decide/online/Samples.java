package dev.datachecksums.operator.decide.online;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Bytes done at the last few looks: the rate of late. */
public record Samples(List<Sample> samples) {
    private static final Duration WINDOW = Duration.ofMinutes(1);
    /** Two looks closer together say little. */
    private static final Duration TELLING = Duration.ofMillis(500);

    /** None yet. */
    public static final Samples NONE = new Samples(List.of());

    /** Bytes done at a moment. */
    public record Sample(Instant at, long bytes) {}

    /** Copies the list. */
    public Samples {
        samples = List.copyOf(samples);
    }

    /** With one more; those before the last minute go, but one. */
    public Samples plus(Instant at, long bytes) {
        List<Sample> kept = new ArrayList<>(samples);
        kept.add(new Sample(at, bytes));
        while (kept.size() > 2 && kept.get(1).at().isBefore(at.minus(WINDOW))) {
            kept.remove(0);
        }
        return new Samples(kept);
    }

    /** Bytes per second; empty until two looks tell. */
    public Optional<Long> bytesPerSecond() {
        if (samples.size() < 2) {
            return Optional.empty();
        }
        Sample first = samples.get(0);
        Sample last = samples.get(samples.size() - 1);
        Duration between = Duration.between(first.at(), last.at());
        return between.compareTo(TELLING) < 0
                ? Optional.empty()
                : Optional.of(Math.max(0, last.bytes() - first.bytes()) * 1000 / between.toMillis());
    }
}

package dev.datachecksums.operator.telemetry;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.BlockerStatus;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.FailuresStatus;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.ObservedState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.api.v1alpha1.PlanStatus;
import dev.datachecksums.api.v1alpha1.ProgressStatus;
import dev.datachecksums.api.v1alpha1.StatusCondition;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts.ChecksumFailures;
import dev.datachecksums.operator.postgres.online.Replica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The series of one resource, from what was last observed of it and reported about it. Pure. */
final class Samples {

    /** Databases that are named a resource: more would let one server fill Prometheus. */
    static final int DATABASES = 20;

    private static final String SHARED = "(shared catalogs)";

    private final List<Sample> all = new ArrayList<>();

    private Samples() {}

    static List<Sample> of(Observation o, DataChecksumsStatus status) {
        Samples s = new Samples();
        s.standing(o, status);
        s.trouble(status);
        s.failures(o, status);
        s.conversion(status);
        s.plan(status.plan());
        s.replicas(o);
        s.last(status.lastConversion());
        s.add(Sample.of(Metric.LAST_LOOK, o.at().toEpochMilli() / 1000.0));
        return List.copyOf(s.all);
    }

    private void standing(Observation o, DataChecksumsStatus status) {
        for (DesiredState d : DesiredState.values()) {
            add(Sample.of(Metric.DESIRED_STATE, d == o.spec().state(), Words.of(d)));
        }
        ObservedState state = status.state() == null ? ObservedState.UNKNOWN : status.state();
        for (ObservedState x : ObservedState.values()) {
            add(Sample.of(Metric.STATE, x == state, Words.of(x)));
        }
        for (Phase p : Phase.values()) {
            add(Sample.of(Metric.PHASE, p == status.phase(), Words.of(p)));
        }
        add(Sample.of(Metric.READY, isTrue(status, "Ready")));
        condition(status, "Ready").ifPresent(c -> add(Sample.of(Metric.REASON, 1, c.reason())));
        add(Sample.of(Metric.SUSPENDED, o.spec().suspended()));
        add(Sample.of(Metric.DRIFTED, drifted(o.spec().state(), status.convergedState(), state)));
        add(Sample.of(Metric.BACKUP_ADVISED, isTrue(status, "BackupAdvised")));
    }

    private static boolean drifted(DesiredState wanted, @Nullable DesiredState converged, ObservedState now) {
        return wanted == converged
                && now != ObservedState.UNKNOWN
                && now != (wanted == DesiredState.ENABLED ? ObservedState.ON : ObservedState.OFF);
    }

    private void trouble(DataChecksumsStatus status) {
        AttemptsStatus tries = status.attempts();
        int failed = tries == null || tries.count() == null ? 0 : tries.count();
        String why = tries == null || tries.lastReason() == null ? "Unknown" : tries.lastReason();
        add(Sample.of(Metric.FAILED_TRIES, failed));
        if (status.phase() == Phase.FAILED) {
            add(Sample.of(Metric.FAILED, 1, why));
        } else if (status.phase() == Phase.WAITING
                && failed > 0
                && condition(status, "Ready")
                        .filter(c -> c.reason().equals("BackOff"))
                        .isPresent()) {
            add(Sample.of(Metric.STALLED, 1, why));
        } else if (status.conversion() != null && isTrue(status, "Stalled")) {
            condition(status, "Stalled").ifPresent(c -> add(Sample.of(Metric.STALLED, 1, c.reason())));
        }
        List<BlockerStatus> blockers = status.blockers();
        if (blockers != null) {
            blockers.stream()
                    .map(BlockerStatus::check)
                    .distinct()
                    .forEach(check -> add(Sample.of(Metric.BLOCKER, 1, check)));
        }
    }

    private void failures(Observation o, DataChecksumsStatus status) {
        FailuresStatus known = status.failures();
        boolean corrupt = isTrue(status, "CorruptionDetected");
        add(Sample.of(Metric.CORRUPTION_DETECTED, corrupt));
        if (known != null) {
            time(Metric.LAST_FAILURE, known.lastFailureTime());
            List<String> databases = known.databases();
            if (corrupt && databases != null) {
                databases.stream()
                        .distinct()
                        .limit(DATABASES)
                        .forEach(d -> add(Sample.of(Metric.CORRUPT_DATABASE, 1, d)));
            }
        }
        List<ChecksumFailures> counted =
                o.server().seen().flatMap(s -> s.checksumFailures().value()).orElse(List.of());
        if (counted.isEmpty()) {
            // Checksums are off, or the server could not be asked: absence, not zero.
            return;
        }
        add(Sample.of(Metric.CHECKSUM_FAILURES, (double)
                counted.stream().mapToLong(ChecksumFailures::count).sum()));
        counted.stream()
                .filter(f -> f.count() > 0)
                .limit(DATABASES)
                .forEach(f -> add(Sample.of(
                        Metric.DATABASE_CHECKSUM_FAILURES,
                        (double) f.count(),
                        f.database() == null ? SHARED : f.database())));
    }

    private void conversion(DataChecksumsStatus status) {
        ConversionStatus c = status.conversion();
        if (c == null) {
            return;
        }
        time(Metric.STARTED, c.started());
        ProgressStatus p = status.progress();
        time(Metric.LAST_PROGRESS, p == null || p.lastMovedTime() == null ? c.started() : p.lastMovedTime());
        if (c.stopped() != null && c.restored() == null) {
            time(Metric.OUTAGE_STARTED, c.stopped());
        }
        if (p == null) {
            return;
        }
        if (p.bytesDone() != null && p.bytesTotal() != null && p.bytesTotal() > 0) {
            double ratio = Math.min(1, (double) p.bytesDone() / p.bytesTotal());
            add(Sample.of(Metric.PROGRESS, ratio));
        } else if (p.percent() != null) {
            add(Sample.of(Metric.PROGRESS, p.percent() / 100.0));
        }
        number(Metric.DONE, p.bytesDone());
        number(Metric.TOTAL, p.bytesTotal());
        number(Metric.RATE, p.bytesPerSecond());
        duration(Metric.REMAINING, p.remaining());
    }

    private void plan(@Nullable PlanStatus plan) {
        if (plan != null) {
            duration(Metric.PLANNED_OUTAGE, plan.estimatedOutage());
            duration(Metric.PLANNED_DURATION, plan.estimatedDuration());
            number(Metric.PLANNED_WAL, plan.estimatedWalBytes());
        }
    }

    private void replicas(Observation o) {
        o.online()
                .seen()
                .flatMap(v -> v.facts().replicas().stream()
                        .filter(r -> !r.backup())
                        .map(Replica::lagBytes)
                        .filter(Objects::nonNull)
                        .max(Long::compare))
                .ifPresent(lag -> add(Sample.of(Metric.REPLICA_LAG, (double) lag)));
    }

    private void last(@Nullable LastConversion last) {
        if (last == null) {
            return;
        }
        time(Metric.LAST_CONVERSION, last.completed());
        duration(Metric.LAST_OUTAGE, last.outage());
        Words.between(last.started(), last.completed())
                .ifPresent(d -> add(Sample.of(Metric.LAST_CONVERSION_DURATION, Words.seconds(d))));
    }

    private void add(Sample sample) {
        all.add(sample);
    }

    private void time(Metric metric, @Nullable String rfc3339) {
        Words.instant(rfc3339).ifPresent(t -> add(Sample.of(metric, t.toEpochMilli() / 1000.0)));
    }

    private void number(Metric metric, @Nullable Long value) {
        if (value != null) {
            add(Sample.of(metric, value.doubleValue()));
        }
    }

    private void duration(Metric metric, @Nullable String written) {
        Optional<Duration> d = Words.duration(written);
        d.ifPresent(x -> add(Sample.of(metric, Words.seconds(x))));
    }

    private static boolean isTrue(DataChecksumsStatus status, String type) {
        return condition(status, type).filter(c -> c.status().equals("True")).isPresent();
    }

    private static Optional<StatusCondition> condition(DataChecksumsStatus status, String type) {
        List<StatusCondition> conditions = status.conditions();
        return conditions == null
                ? Optional.empty()
                : conditions.stream().filter(c -> c.type().equals(type)).findFirst();
    }
}

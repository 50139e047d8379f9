package dev.datachecksums.operator.telemetry;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.BlockerStatus;
import dev.datachecksums.api.v1alpha1.ConversionMethod;
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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds statuses for tests: by default one at rest after a conversion. */
final class Reports {
    private Phase phase = Phase.CONVERGED;
    private ObservedState state = ObservedState.ON;
    private @Nullable DesiredState converged = DesiredState.ENABLED;
    private @Nullable ConversionStatus conversion;
    private @Nullable ProgressStatus progress;
    private @Nullable PlanStatus plan;
    private @Nullable AttemptsStatus attempts;
    private @Nullable FailuresStatus failures;
    private @Nullable List<BlockerStatus> blockers;
    private final List<StatusCondition> conditions = new ArrayList<>();
    private final @Nullable LastConversion last = new LastConversion(
            ObservedState.OFF,
            ObservedState.ON,
            ConversionMethod.IN_PLACE,
            "2026-11-30T19:00:00Z",
            "2026-11-30T19:01:30Z",
            "4.4s",
            1L,
            1);

    Reports phase(Phase p) {
        this.phase = p;
        return this;
    }

    Reports state(ObservedState s) {
        this.state = s;
        return this;
    }

    Reports condition(String type, String status, String reason) {
        conditions.add(new StatusCondition(type, status, 1L, "2026-11-30T19:00:00Z", reason, "why"));
        return this;
    }

    Reports attempts(int count, String reason) {
        this.attempts = new AttemptsStatus(count, reason, "what", "2026-11-30T19:59:00Z", 1L);
        return this;
    }

    Reports failures(FailuresStatus f) {
        this.failures = f;
        return this;
    }

    Reports blockers(String... checks) {
        this.blockers = List.of(checks).stream()
                .map(c -> new BlockerStatus(c, "m", "r"))
                .toList();
        return this;
    }

    Reports converting() {
        this.phase = Phase.REWRITING;
        this.state = ObservedState.OFF;
        this.conversion = new ConversionStatus(
                "try",
                DesiredState.ENABLED,
                ConversionMethod.IN_PLACE,
                "2026-11-30T19:58:00Z",
                "orders-db-0",
                "uid",
                1000L,
                "2026-11-30T19:58:10.250Z",
                null,
                null);
        this.progress = new ProgressStatus(
                "43%",
                43,
                433L,
                1000L,
                100L,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                "1m30s",
                null,
                "2026-11-30T19:59:00Z");
        this.plan = new PlanStatus(ConversionMethod.IN_PLACE, "why", 1000L, "4.4s", "1d2h", 5L, null);
        return this;
    }

    DataChecksumsStatus build() {
        return new DataChecksumsStatus(
                1L,
                phase,
                state,
                converged,
                null,
                null,
                null,
                plan,
                conversion,
                progress,
                attempts,
                blockers,
                null,
                failures,
                last,
                conditions);
    }
}

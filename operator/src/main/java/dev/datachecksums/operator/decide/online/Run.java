package dev.datachecksums.operator.decide.online;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.postgres.online.Throttle;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What has to be remembered of a run, because no server can be asked for it.
 *
 * @param to the state that it makes
 * @param called when the function was called last; null if not yet
 * @param serverStarted of the postmaster that was called
 * @param timeline of its WAL then
 * @param asked the spec's throttle that was passed on last
 * @param throttle that was passed on last: tighter than asked while replicas are behind
 * @param tuned when it was changed last; null if it is still the one of the call
 * @param workerBlocks that workers had counted before
 */
public record Run(
        DesiredState to,
        @Nullable Instant called,
        Instant serverStarted,
        int timeline,
        Throttle asked,
        Throttle throttle,
        @Nullable Instant tuned,
        @Nullable Long workerBlocks) {}

package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** What cannot be asked of a server that converts online: when it was called, and with which throttle. Times are RFC 3339, UTC. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record OnlineRunStatus(
        @JsonPropertyDescription("When the server's function was called last.") @Nullable
        String called,

        @JsonPropertyDescription("When the server that was called had started: after another start the run is over.")
        @Nullable
        String serverStarted,

        @JsonPropertyDescription("Timeline of the server's WAL then: another one means a promotion.") @Nullable
        Integer timeline,

        @JsonPropertyDescription("costDelay that the spec asked for when it was passed on last.") @Nullable
        String askedCostDelay,

        @JsonPropertyDescription("costLimit that the spec asked for when it was passed on last.") @Nullable
        Integer askedCostLimit,

        @JsonPropertyDescription("costDelay that holds: longer than asked for while replicas are behind.") @Nullable
        String costDelay,

        @JsonPropertyDescription("costLimit that holds.") @Nullable
        Integer costLimit,

        @JsonPropertyDescription("When the throttle was changed last; absent while it is the one of the call.")
        @Nullable
        String tuned,

        @JsonPropertyDescription("Why the throttle that holds is not the one that was asked for.") @Nullable
        String throttleReason,

        @JsonPropertyDescription("Blocks that workers of earlier runs had counted.") @Nullable
        Long workerBlocks,

        @JsonPropertyDescription("When the server was told last to give the run up.") @Nullable
        String aborted) {

    /** The same, told then to give up. */
    public OnlineRunStatus aborted(String at) {
        return new OnlineRunStatus(
                called,
                serverStarted,
                timeline,
                askedCostDelay,
                askedCostLimit,
                costDelay,
                costLimit,
                tuned,
                throttleReason,
                workerBlocks,
                at);
    }
}

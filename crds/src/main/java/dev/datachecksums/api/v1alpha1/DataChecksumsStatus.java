package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The report. Written whole, by one class, and only when something that a reader cares about has changed. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record DataChecksumsStatus(
        @JsonPropertyDescription("The generation of the spec that this report is about.") @Nullable
        Long observedGeneration,

        @JsonPropertyDescription(
                "Where the resource stands: Pending, Suspended, Blocked, Waiting, Converting, Stopping, Rewriting, Starting, Converged, Drifted or Failed.")
        @Nullable
        Phase phase,

        @JsonPropertyDescription(
                "What the server or the volume said last: Off, On, InProgressOn, InProgressOff; Unknown where nobody could be asked.")
        @Nullable
        ObservedState state,

        @JsonPropertyDescription(
                "The declared state that the server was last measured in: from it, drift is told from a new declaration.")
        @Nullable
        DesiredState convergedState,

        @JsonPropertyDescription("The road of the planned, running or last conversion.") @Nullable
        ConversionMethod method,

        @JsonPropertyDescription("The server, by its own word.") @Nullable
        ServerStatus server,

        @JsonPropertyDescription("Where there are several: every server of the instance, by its own word.") @Nullable
        List<NodeStatus> nodes,

        @JsonPropertyDescription("What would be done, or is being done, and what it will cost.") @Nullable
        PlanStatus plan,

        @JsonPropertyDescription("The conversion that is under way, if any: what cannot be observed again.") @Nullable
        ConversionStatus conversion,

        @JsonPropertyDescription("How far the running conversion is.") @Nullable
        ProgressStatus progress,

        @JsonPropertyDescription("Failed tries of this generation.") @Nullable
        AttemptsStatus attempts,

        @JsonPropertyDescription("What keeps the gate shut, and what would open it.") @Nullable
        List<BlockerStatus> blockers,

        @JsonPropertyDescription("What a major upgrade by pg_upgrade will ask for.") @Nullable
        UpgradeStatus upgrade,

        @JsonPropertyDescription("Checksum failures that the server has counted.") @Nullable
        FailuresStatus failures,

        @JsonPropertyDescription("The last conversion that ended well.") @Nullable
        LastConversion lastConversion,

        @JsonPropertyDescription(
                "Ready, Reconciling and Stalled (kstatus), OnlineCapable, UpgradeReady, BackupAdvised, CorruptionDetected.")
        @Nullable
        List<StatusCondition> conditions) {

    /** Nothing is known. */
    public static final DataChecksumsStatus EMPTY = new DataChecksumsStatus(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
}

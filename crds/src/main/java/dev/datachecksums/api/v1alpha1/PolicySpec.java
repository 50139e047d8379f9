package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** How and when a conversion may be carried out. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
        value = "duration(self.stalledAfter) >= duration('10s') && duration(self.stalledAfter) <= duration('168h')",
        message = "stalledAfter must be between 10s and 168h")
public record PolicySpec(
        @JsonPropertyDescription(
                "PreferOnline: online where the server has the functions, else offline. Online: never stop the server."
                        + " Offline: always by pg_checksums.")
        @Default("\"PreferOnline\"")
        Method method,

        @JsonPropertyDescription("When a converged server is found in the other state: Correct it, or only Report it.")
        @Default("\"Correct\"")
        OnDrift onDrift,

        @JsonPropertyDescription("When a conversion may start. Absent: at any time.") @Nullable
        WindowSpec window,

        @JsonPropertyDescription(
                "A conversion none of whose counters moved for so long is reported as Stalled. A duration such as 90s, 10m or 1h30m.")
        @Default("\"10m\"")
        @Size(max = 32)
        @Pattern(Durations.PATTERN)
        String stalledAfter,

        @JsonPropertyDescription("Failed tries before the operator waits for a change of the spec.")
        @Default("3")
        @Min(1)
        @Max(100)
        @Nullable
        Integer attempts,

        @JsonPropertyDescription("The online road.") @Default("{}")
        OnlinePolicy online,

        @JsonPropertyDescription("The offline road.") @Default("{}")
        OfflinePolicy offline) {

    /** Every field at its default. */
    public static final PolicySpec DEFAULT = new PolicySpec(
            Method.PREFER_ONLINE, OnDrift.CORRECT, null, "10m", 3, OnlinePolicy.DEFAULT, OfflinePolicy.DEFAULT);

    /** Fills the CRD's defaults. */
    public PolicySpec {
        method = method == null ? Method.PREFER_ONLINE : method;
        onDrift = onDrift == null ? OnDrift.CORRECT : onDrift;
        stalledAfter = stalledAfter == null ? "10m" : stalledAfter;
        attempts = attempts == null ? Integer.valueOf(3) : attempts;
        online = online == null ? OnlinePolicy.DEFAULT : online;
        offline = offline == null ? OfflinePolicy.DEFAULT : offline;
    }

    /** The number of tries, with its default. */
    public int maxAttempts() {
        return attempts == null ? 3 : attempts;
    }
}

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

/** The online road: pg_enable_data_checksums and pg_disable_data_checksums. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
        value = "duration(self.costDelay) <= duration('10s')",
        message = "online.costDelay must be at most 10s: it is the pause after costLimit worth of pages")
@ValidationRule(
        value = "!has(self.maxReplicaLag)"
                + " || (isQuantity(self.maxReplicaLag) && quantity(self.maxReplicaLag).isGreaterThan(quantity('0')))",
        message = "online.maxReplicaLag must be a positive quantity of bytes, such as 1Gi")
@ValidationRule(
        value = "duration(self.blockersGrace) <= duration('168h')",
        message = "online.blockersGrace must be at most 168h")
public record OnlinePolicy(
        @JsonPropertyDescription(
                "cost_delay: the pause each time costLimit is reached. 0ms: unthrottled. A change during a run holds from the next relation.")
        @Default("\"0ms\"")
        @Size(max = 32)
        @Pattern(Durations.PATTERN)
        String costDelay,

        @JsonPropertyDescription("cost_limit: the cost, in vacuum's units, after which the conversion pauses.")
        @Default("100")
        @Min(1)
        @Max(10000)
        @Nullable
        Integer costLimit,

        @JsonPropertyDescription(
                "Replay lag in bytes beyond which the throttle is tightened; back under it, it is relaxed. Absent: not looked at.")
        @Size(min = 1, max = 32)
        @Nullable
        String maxReplicaLag,

        @JsonPropertyDescription(
                "Sessions with old transactions or temporary tables: Wait for them, or Terminate them after blockersGrace.")
        @Default("\"Wait\"")
        Blockers blockers,

        @JsonPropertyDescription("How long such sessions are left alone.")
        @Default("\"10m\"")
        @Size(max = 32)
        @Pattern(Durations.PATTERN)
        String blockersGrace) {

    /** Every field at its default. */
    public static final OnlinePolicy DEFAULT = new OnlinePolicy("0ms", 100, null, Blockers.WAIT, "10m");

    /** Fills the CRD's defaults. */
    public OnlinePolicy {
        costDelay = costDelay == null ? "0ms" : costDelay;
        costLimit = costLimit == null ? Integer.valueOf(100) : costLimit;
        blockers = blockers == null ? Blockers.WAIT : blockers;
        blockersGrace = blockersGrace == null ? "10m" : blockersGrace;
    }
}

package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** The offline road: pg_checksums. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
        value = "duration(self.maxOutage) >= duration('10s') && duration(self.maxOutage) <= duration('168h')",
        message = "offline.maxOutage must be between 10s and 168h")
@ValidationRule(
        value = "!has(self.maxCopyRate)"
                + " || (isQuantity(self.maxCopyRate) && quantity(self.maxCopyRate).isGreaterThan(quantity('0')))",
        message = "offline.maxCopyRate must be a positive quantity of bytes per second, such as 200Mi")
public record OfflinePolicy(
        @JsonPropertyDescription(
                "Auto: the strategy with the least outage that its gate allows. InPlace: pg_checksums on the stopped data directory."
                        + " TemporaryStandby: a converted copy takes over at one restart. Rolling: standbys first.")
        @Default("\"Auto\"")
        OfflineStrategy strategy,

        @JsonPropertyDescription(
                "The longest outage that is acceptable. A conversion whose estimate exceeds it is refused; when it is reached,"
                        + " the try is given up and service restored.")
        @Default("\"30m\"")
        @Size(max = 32)
        @Pattern(Durations.PATTERN)
        String maxOutage,

        @JsonPropertyDescription(
                "How pg_checksums makes its writes durable: Fsync, or Syncfs (PostgreSQL 17 and later; before, Fsync is used).")
        @Default("\"Fsync\"")
        SyncMethod sync,

        @JsonPropertyDescription("Bytes per second for the copy of TemporaryStandby. Absent: unthrottled.")
        @Size(min = 1, max = 32)
        @Nullable
        String maxCopyRate) {

    /** Every field at its default. */
    public static final OfflinePolicy DEFAULT = new OfflinePolicy(OfflineStrategy.AUTO, "30m", SyncMethod.FSYNC, null);

    /** Fills the CRD's defaults. */
    public OfflinePolicy {
        strategy = strategy == null ? OfflineStrategy.AUTO : strategy;
        maxOutage = maxOutage == null ? "30m" : maxOutage;
        sync = sync == null ? SyncMethod.FSYNC : sync;
    }
}

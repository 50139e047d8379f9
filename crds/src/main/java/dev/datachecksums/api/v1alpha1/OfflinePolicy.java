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
@ValidationRule(
        value = "!has(self.minFreeSpace)"
                + " || (isQuantity(self.minFreeSpace) && quantity(self.minFreeSpace).isGreaterThan(quantity('0')))",
        message = "offline.minFreeSpace must be a positive quantity of bytes, such as 5Gi")
public record OfflinePolicy(
        @JsonPropertyDescription(
                "How checksums are enabled. Auto: TemporaryStandby where its gate allows it and it saves more than 10"
                        + " s of outage, else InPlace. InPlace: pg_checksums on the stopped data directory."
                        + " TemporaryStandby: a copy on the same volume is converted while the server serves, and takes"
                        + " its place at one restart. Rolling: standbys first (not yet). Disabling is always InPlace: it"
                        + " takes the outage of a restart at any size.")
        @Default("\"Auto\"")
        OfflineStrategy strategy,

        @JsonPropertyDescription(
                "The longest outage that is acceptable. A conversion whose estimate exceeds it is refused; when it is"
                        + " reached, the try is given up and service restored.")
        @Default("\"30m\"")
        @Size(max = 32)
        @Pattern(Durations.PATTERN)
        String maxOutage,

        @JsonPropertyDescription(
                "How pg_checksums makes its writes durable: Fsync, or Syncfs (PostgreSQL 17 and later; before, Fsync"
                        + " is used).")
        @Default("\"Fsync\"")
        SyncMethod sync,

        @JsonPropertyDescription(
                "Bytes per second for the copy of TemporaryStandby, such as 200Mi. Absent: unthrottled. A change holds"
                        + " from the next copy.")
        @Size(min = 1, max = 32)
        @Nullable
        String maxCopyRate,

        @JsonPropertyDescription(
                "Free space of the volume that TemporaryStandby leaves alone, such as 5Gi: with less, no copy is"
                        + " begun, and one that is being made is dropped with the WAL kept for it. Absent: 5 % of the"
                        + " volume, at most 10Gi.")
        @Size(min = 1, max = 32)
        @Nullable
        String minFreeSpace) {

    /** Every field at its default. */
    public static final OfflinePolicy DEFAULT =
            new OfflinePolicy(OfflineStrategy.AUTO, "30m", SyncMethod.FSYNC, null, null);

    /** Without a floor of its own. */
    public OfflinePolicy(OfflineStrategy strategy, String maxOutage, SyncMethod sync, @Nullable String maxCopyRate) {
        this(strategy, maxOutage, sync, maxCopyRate, null);
    }

    /** Fills the CRD's defaults. */
    public OfflinePolicy {
        strategy = strategy == null ? OfflineStrategy.AUTO : strategy;
        maxOutage = maxOutage == null ? "30m" : maxOutage;
        sync = sync == null ? SyncMethod.FSYNC : sync;
    }
}

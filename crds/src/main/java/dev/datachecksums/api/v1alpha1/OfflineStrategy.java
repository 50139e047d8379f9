package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How the offline road is taken. */
public enum OfflineStrategy {
    /** The operator chooses the one with the least outage. */
    @JsonProperty("Auto")
    AUTO,
    /** pg_checksums on the stopped data directory. */
    @JsonProperty("InPlace")
    IN_PLACE,
    /** A converted copy, kept up as a standby on the same volume, takes over at one restart. */
    @JsonProperty("TemporaryStandby")
    TEMPORARY_STANDBY,
    /** Standbys one after another, then a switchover. */
    @JsonProperty("Rolling")
    ROLLING
}

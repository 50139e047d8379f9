package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The road that a plan or a conversion takes. */
public enum ConversionMethod {
    /** By the server's own functions while it serves. */
    @JsonProperty("Online")
    ONLINE,
    /** pg_checksums on the stopped data directory. */
    @JsonProperty("InPlace")
    IN_PLACE,
    /** A converted copy that takes over at one restart. */
    @JsonProperty("TemporaryStandby")
    TEMPORARY_STANDBY,
    /** Standbys one after another, then a switchover. */
    @JsonProperty("Rolling")
    ROLLING
}

package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What the user wants of the data pages. Not on/off: YAML 1.1 reads those words as booleans. */
public enum DesiredState {
    /** Every page carries a checksum and the server verifies it on read. */
    @JsonProperty("Enabled")
    ENABLED,
    /** Checksums are neither written nor verified. */
    @JsonProperty("Disabled")
    DISABLED
}

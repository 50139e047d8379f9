package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The state of the data checksums as the server or the volume said it last. */
public enum ObservedState {
    /** Off. */
    @JsonProperty("Off")
    OFF,
    /** On: pages are verified. */
    @JsonProperty("On")
    ON,
    /** Being enabled: checksums are written, not verified. */
    @JsonProperty("InProgressOn")
    IN_PROGRESS_ON,
    /** Being disabled. */
    @JsonProperty("InProgressOff")
    IN_PROGRESS_OFF,
    /** Nobody could be asked. */
    @JsonProperty("Unknown")
    UNKNOWN
}

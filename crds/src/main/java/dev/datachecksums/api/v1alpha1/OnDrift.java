package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What to do when a converged server is found in the other state. */
public enum OnDrift {
    /** Convert it again. */
    @JsonProperty("Correct")
    CORRECT,
    /** Say so in phase, condition and event; change nothing. */
    @JsonProperty("Report")
    REPORT
}

package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Where a resource stands. Each constant's Javadoc names its exits. */
public enum Phase {
    /** Nothing is known yet, or the server cannot be asked. Exits: every other phase once the server has answered. */
    @JsonProperty("Pending")
    PENDING,
    /** spec.suspend is true: observed and planned, nothing changed. Exits: any, when suspend is false again. */
    @JsonProperty("Suspended")
    SUSPENDED,
    /** The gate said no; status.blockers says what would open it. Exits: Waiting, Converting, Stopping, Converged; Suspended. */
    @JsonProperty("Blocked")
    BLOCKED,
    /** Ready to go but not now: window, running base backup, back-off after a try. Exits: Converting, Blocked, Converged; Suspended. */
    @JsonProperty("Waiting")
    WAITING,
    /** The conversion is prepared (offline: the Job is started and checks its tools) or runs online. Exits: Stopping, Converged, Waiting (the try ended), Failed. */
    @JsonProperty("Converting")
    CONVERTING,
    /** The interlock is set and the server is being stopped. Exits: Rewriting, Starting (given up or done already), Failed. */
    @JsonProperty("Stopping")
    STOPPING,
    /** pg_checksums works on the stopped data directory. Exits: Starting. */
    @JsonProperty("Rewriting")
    REWRITING,
    /** Service is being restored; the outcome is not measured yet. Exits: Converged, Waiting (the try ended), Failed. */
    @JsonProperty("Starting")
    STARTING,
    /** The server itself says that it is in the declared state. Exits: Drifted, Waiting, Blocked, Converting when state or spec change; Pending when it cannot be asked. */
    @JsonProperty("Converged")
    CONVERGED,
    /** It was converged and is in another state now, and policy.onDrift is Report. Exits: Converged; Waiting or Converting when onDrift becomes Correct. */
    @JsonProperty("Drifted")
    DRIFTED,
    /** policy.attempts tries have failed. Exits: Waiting, Converting, Blocked when the spec changes; Converged when the server is in the declared state. */
    @JsonProperty("Failed")
    FAILED
}

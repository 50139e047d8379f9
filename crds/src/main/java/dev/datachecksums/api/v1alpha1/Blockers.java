package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What to do with sessions that hold up an online conversion. */
public enum Blockers {
    /** Wait for them and report them. */
    @JsonProperty("Wait")
    WAIT,
    /** End exactly those sessions once blockersGrace has passed. */
    @JsonProperty("Terminate")
    TERMINATE
}

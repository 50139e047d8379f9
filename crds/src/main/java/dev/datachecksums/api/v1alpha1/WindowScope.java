package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a window governs of a conversion that is prepared while the server serves. */
public enum WindowScope {
    /** The switch alone, with its outage; the copy is made before the window opens, so that it is ready then. */
    @JsonProperty("Switch")
    SWITCH,
    /** All of it: nothing is begun outside of the window. */
    @JsonProperty("Conversion")
    CONVERSION
}

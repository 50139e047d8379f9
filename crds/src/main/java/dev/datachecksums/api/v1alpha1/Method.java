package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How a conversion may be carried out. */
public enum Method {
    /** Online where the server has the functions, else offline. */
    @JsonProperty("PreferOnline")
    PREFER_ONLINE,
    /** Only while the server serves; a server without the functions is Blocked. */
    @JsonProperty("Online")
    ONLINE,
    /** Only with pg_checksums while the server is stopped. */
    @JsonProperty("Offline")
    OFFLINE
}

package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** libpq's sslmode by its Kubernetes spelling. */
public enum TlsMode {
    /** Never TLS. */
    @JsonProperty("Disable")
    DISABLE,
    /** TLS where the server offers it; nothing is verified. */
    @JsonProperty("Prefer")
    PREFER,
    /** TLS or no connection; nothing is verified. */
    @JsonProperty("Require")
    REQUIRE,
    /** The certificate must be signed by the CA. */
    @JsonProperty("VerifyCA")
    VERIFY_CA,
    /** As VerifyCA, and it must name the host. */
    @JsonProperty("VerifyFull")
    VERIFY_FULL
}

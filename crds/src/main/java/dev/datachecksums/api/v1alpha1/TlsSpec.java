package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Transport security of the connection. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
        value = "!(self.mode in ['VerifyCA', 'VerifyFull']) || has(self.caSecretName)",
        message = "tls.mode VerifyCA and VerifyFull need tls.caSecretName: the Secret with the CA's certificate")
public record TlsSpec(
        @JsonPropertyDescription(
                "Disable, Prefer, Require, VerifyCA or VerifyFull, with the meaning of libpq's sslmode.")
        @Default("\"Prefer\"")
        TlsMode mode,

        @JsonPropertyDescription("Name of the Secret, in this namespace, that holds the CA's certificate (PEM).")
        @Size(max = 253)
        @Pattern("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
        @Nullable
        String caSecretName,

        @JsonPropertyDescription("Key of the CA's certificate.")
        @Default("\"ca.crt\"")
        @Size(max = 253)
        @Pattern("^[-._a-zA-Z0-9]+$")
        @Nullable
        String caKey) {

    /** Fills the CRD's defaults. */
    public TlsSpec {
        mode = mode == null ? TlsMode.PREFER : mode;
        caKey = caKey == null ? "ca.crt" : caKey;
    }
}

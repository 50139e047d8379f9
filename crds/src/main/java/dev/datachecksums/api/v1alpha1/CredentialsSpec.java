package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** Names a Secret in the resource's own namespace, and the keys in it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record CredentialsSpec(
        @JsonPropertyDescription("Name of the Secret, in this namespace.")
        @Required
        @Size(max = 253)
        @Pattern("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
        String secretName,

        @JsonPropertyDescription("Key of the user name, which must be a superuser's.")
        @Default("\"username\"")
        @Size(max = 253)
        @Pattern("^[-._a-zA-Z0-9]+$")
        String usernameKey,

        @JsonPropertyDescription("Key of the password.")
        @Default("\"password\"")
        @Size(max = 253)
        @Pattern("^[-._a-zA-Z0-9]+$")
        String passwordKey) {

    /** Fills the CRD's defaults. */
    public CredentialsSpec {
        usernameKey = usernameKey == null ? "username" : usernameKey;
        passwordKey = passwordKey == null ? "password" : passwordKey;
    }
}

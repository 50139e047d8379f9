package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** How to reach the server, and as whom. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ConnectionSpec(
        @JsonPropertyDescription(
                "Host name or IP address of the server itself, never of a pooler. Default: the instance's pod."
                        + " A name that leaves this namespace is refused unless the operator was started to allow it.")
        @Size(max = 253)
        @Pattern("^[A-Za-z0-9]([-A-Za-z0-9.:_]*[A-Za-z0-9])?$")
        @Nullable
        String host,

        @JsonPropertyDescription("TCP port of the server.") @Default("5432") @Min(1) @Max(65535) @Nullable
        Integer port,

        @JsonPropertyDescription("Database to connect to.") @Default("\"postgres\"") @Size(min = 1, max = 63)
        String database,

        @JsonPropertyDescription("The Secret that holds a superuser's name and password.") @Required
        CredentialsSpec credentials,

        @JsonPropertyDescription("Transport security.") @Default("{}")
        TlsSpec tls) {

    /** Fills the CRD's defaults. */
    public ConnectionSpec {
        port = port == null ? Integer.valueOf(5432) : port;
        database = database == null ? "postgres" : database;
        tls = tls == null ? new TlsSpec(TlsMode.PREFER, null, null) : tls;
    }

    /** The same to a pod's own address: of several servers, the host leads to one only. */
    public ConnectionSpec withoutHost() {
        return new ConnectionSpec(null, port, database, credentials, tls);
    }

    /** The port, with its default. */
    public int portNumber() {
        return port == null ? 5432 : port;
    }
}

package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** The server, by its own word. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ServerStatus(
        @JsonPropertyDescription("server_version, such as 17.12.") @Nullable
        String version,

        @JsonPropertyDescription("Database system identifier of the cluster.") @Nullable
        String systemIdentifier,

        @JsonPropertyDescription("Address and port at which the server says it was reached.") @Nullable
        String address,

        @JsonPropertyDescription("The data directory, as the server sees it.") @Nullable
        String dataDirectory,

        @JsonPropertyDescription("Numeric user and group that own it, such as 999:999.") @Nullable
        String runAs) {}

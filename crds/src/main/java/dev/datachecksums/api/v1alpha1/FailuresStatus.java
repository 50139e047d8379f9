package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checksum failures by pg_stat_database. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record FailuresStatus(
        @JsonPropertyDescription("Failures in all databases and shared objects since the statistics were reset.")
        @Nullable
        Long total,

        @JsonPropertyDescription("When the last one was noticed: RFC 3339.") @Nullable
        String lastFailureTime,

        @JsonPropertyDescription("Databases with failures.") @Nullable
        List<String> databases) {}

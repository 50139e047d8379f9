package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** Failed tries of this generation of the spec. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record AttemptsStatus(
        @JsonPropertyDescription("Number of tries that failed.") @Nullable
        Integer count,

        @JsonPropertyDescription("Reason of the last failure, one CamelCase word.") @Nullable
        String lastReason,

        @JsonPropertyDescription("What went wrong last, and what to do.") @Nullable
        String lastError,

        @JsonPropertyDescription("When the last try failed: RFC 3339.") @Nullable
        String lastTime,

        @JsonPropertyDescription("Generation of the spec that was tried.") @Nullable
        Long generation) {}

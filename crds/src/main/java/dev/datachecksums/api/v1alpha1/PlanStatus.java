package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** What would be done, or is being done, and what it will cost. Durations are estimates such as 1m30s. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PlanStatus(
        @JsonPropertyDescription("The road: Online, InPlace, TemporaryStandby or Rolling.") @Nullable
        ConversionMethod method,

        @JsonPropertyDescription("Why this road, and why not the others.") @Nullable
        String reason,

        @JsonPropertyDescription("Bytes of data to go through.") @Nullable
        Long bytes,

        @JsonPropertyDescription("Estimated time of the whole conversion.") @Nullable
        String estimatedDuration,

        @JsonPropertyDescription("Estimated time without service.") @Nullable
        String estimatedOutage,

        @JsonPropertyDescription("Bytes of WAL that the conversion will write.") @Nullable
        Long estimatedWalBytes,

        @JsonPropertyDescription("When the conversion may start, where it has to wait for that: RFC 3339.") @Nullable
        String notBefore) {}

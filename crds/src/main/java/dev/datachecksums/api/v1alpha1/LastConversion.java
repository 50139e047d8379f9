package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** The last conversion that ended well. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record LastConversion(
        @JsonPropertyDescription("State before.") @Nullable ObservedState from,
        @JsonPropertyDescription("State after.") @Nullable ObservedState to,
        @JsonPropertyDescription("The road.") @Nullable ConversionMethod method,

        @JsonPropertyDescription("When it was started: RFC 3339.") @Nullable
        String started,

        @JsonPropertyDescription("When the server said that it was done: RFC 3339.") @Nullable
        String completed,

        @JsonPropertyDescription(
                "Time without service, from the server's last answer before the stop to its first after it.")
        @Nullable
        String outage,

        @JsonPropertyDescription("Bytes of data.") @Nullable Long bytes,

        @JsonPropertyDescription("Number of tries, this one included.") @Nullable
        Integer attempts) {}

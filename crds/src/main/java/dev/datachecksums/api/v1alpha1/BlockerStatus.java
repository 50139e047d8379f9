package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** One check of the gate that said no. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BlockerStatus(
        @JsonPropertyDescription("Name of the check, such as DataOnPersistentVolume.")
        String check,

        @JsonPropertyDescription("What it found.") String message,

        @JsonPropertyDescription("What would open the gate.")
        String remedy) {}

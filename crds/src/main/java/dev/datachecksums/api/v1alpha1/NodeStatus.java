package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** One of several servers of an instance, by its own word. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record NodeStatus(
        @JsonPropertyDescription("Name of its pod.") String name,

        @JsonPropertyDescription("Primary or Standby, as it said last.") @Nullable
        String role,

        @JsonPropertyDescription(
                "What it said last: Off, On, InProgressOn, InProgressOff; Unknown while it cannot be asked.")
        ObservedState state) {}

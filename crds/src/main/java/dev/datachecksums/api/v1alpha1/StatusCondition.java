package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** A condition, as metav1.Condition. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record StatusCondition(
        @JsonPropertyDescription("Type of the condition.") @Required @Size(min = 1, max = 316)
        String type,

        @JsonPropertyDescription("True, False or Unknown.") @Required @Pattern("^(True|False|Unknown)$")
        String status,

        @JsonPropertyDescription("Generation of the spec that the condition is about.") @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("When status changed last: RFC 3339.") @Required
        String lastTransitionTime,

        @JsonPropertyDescription("Why, in one CamelCase word.") @Required @Size(min = 1, max = 1024)
        String reason,

        @JsonPropertyDescription("Why, in words: what, why and what to do.") @Required @Size(max = 32768)
        String message) {}

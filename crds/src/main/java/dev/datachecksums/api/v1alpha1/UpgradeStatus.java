package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** What pg_upgrade to a later major will ask for. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record UpgradeStatus(
        @JsonPropertyDescription("Ready, or NotReady while a conversion is under way or the state is unknown.")
        @Nullable
        String readiness,

        @JsonPropertyDescription("Option for the new cluster's initdb: --data-checksums or --no-data-checksums.")
        @Nullable
        String initdbOption,

        @JsonPropertyDescription("The same in words.") @Nullable
        String message) {}

package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** Names the workload that runs the instance. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record InstanceRef(
        @JsonPropertyDescription("API version of the workload, such as apps/v1.")
        @Default("\"apps/v1\"")
        @Size(min = 1, max = 253)
        String apiVersion,

        @JsonPropertyDescription(
                "Kind of the workload: StatefulSet, or Deployment of one pod. Others are refused by the gate.")
        @Default("\"StatefulSet\"")
        @Size(min = 1, max = 63)
        String kind,

        @JsonPropertyDescription("Name of the workload in this namespace.")
        @Required
        @Size(max = 253)
        @Pattern("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
        String name,

        @JsonPropertyDescription(
                "The container that runs PostgreSQL. Default: the container that mounts the data directory.")
        @Size(max = 63)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
        @Nullable
        String container) {

    /** Fills the CRD's defaults. */
    public InstanceRef {
        apiVersion = apiVersion == null ? "apps/v1" : apiVersion;
        kind = kind == null ? "StatefulSet" : kind;
    }
}

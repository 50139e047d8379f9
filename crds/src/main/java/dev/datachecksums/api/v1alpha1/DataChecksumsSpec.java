package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/**
 * The declaration. What is absent has the CRD's default; {@link #policy()} and {@link #state()} are therefore never null
 * for an object that came from an API server, and the constructor fills them for one that did not.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
        value = "has(self.instanceRef) == has(oldSelf.instanceRef)"
                + " && (!has(self.instanceRef) || self.instanceRef == oldSelf.instanceRef)",
        message = "instanceRef is immutable: it names the server whose data is converted."
                + " Delete this resource (the server keeps its state) and create another.")
@ValidationRule(
        value = "has(self.instanceRef) || has(self.connection.host)",
        message =
                "either instanceRef (a workload in this namespace) or connection.host (an external server) is required")
@ValidationRule(
        value = "has(self.instanceRef) || !has(self.policy) || self.policy.method != 'Offline'",
        message =
                "method Offline needs instanceRef: without the workload the operator cannot stop the server and reach its volume")
public record DataChecksumsSpec(
        @JsonPropertyDescription(
                "The declared state of the instance's data checksums: Enabled or Disabled. Default: Enabled.")
        @Default("\"Enabled\"")
        DesiredState state,

        @JsonPropertyDescription(
                "Observe, plan and report, but change nothing. A conversion that is under way is given up and service is restored.")
        @Default("false")
        @Nullable
        Boolean suspend,

        @JsonPropertyDescription(
                "The workload that runs the instance, in this namespace. Immutable. Absent: an external server, which can only be converted online.")
        @Nullable
        InstanceRef instanceRef,

        @JsonPropertyDescription("How to reach the server, and as whom.") @Required
        ConnectionSpec connection,

        @JsonPropertyDescription("How and when a conversion may be carried out.") @Default("{}")
        PolicySpec policy) {

    /** Fills the CRD's defaults. */
    public DataChecksumsSpec {
        state = state == null ? DesiredState.ENABLED : state;
        suspend = suspend != null && suspend;
        policy = policy == null ? PolicySpec.DEFAULT : policy;
    }

    /** Whether the user asked to change nothing. */
    public boolean suspended() {
        return Boolean.TRUE.equals(suspend);
    }
}

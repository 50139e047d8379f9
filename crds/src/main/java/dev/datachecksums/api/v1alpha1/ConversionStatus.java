package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * The conversion under way: the facts that cannot be observed again when the operator was restarted meanwhile.
 * Times are RFC 3339 with milliseconds, UTC.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ConversionStatus(
        @JsonPropertyDescription("Names this try: the Job is called after it.")
        String id,

        @JsonPropertyDescription("The state that it makes.") DesiredState to,
        @JsonPropertyDescription("The road.") ConversionMethod method,

        @JsonPropertyDescription("When the try was started.")
        String started,

        @JsonPropertyDescription("The pod that is stopped for it.") @Nullable
        String pod,

        @JsonPropertyDescription("uid of that pod: only this one is deleted or held.") @Nullable
        String podUid,

        @JsonPropertyDescription("Bytes of data at the start.") @Nullable
        Long bytes,

        @JsonPropertyDescription("The server's last answer before the stop.") @Nullable
        String stopped,

        @JsonPropertyDescription("The server's first answer after the stop.") @Nullable
        String restored,

        @JsonPropertyDescription("Why the try is being given up: service is restored, then it is tried again or not.")
        @Nullable
        String givingUp,

        @JsonPropertyDescription("Of an online conversion: what was told to the server.") @Nullable
        OnlineRunStatus online,

        @JsonPropertyDescription("Revision of the template that the pod was made from: another one meanwhile is told.")
        @Nullable
        String podRevision) {

    /** An offline conversion. */
    public ConversionStatus(
            String id,
            DesiredState to,
            ConversionMethod method,
            String started,
            @Nullable String pod,
            @Nullable String podUid,
            @Nullable Long bytes,
            @Nullable String stopped,
            @Nullable String restored,
            @Nullable String givingUp) {
        this(id, to, method, started, pod, podUid, bytes, stopped, restored, givingUp, null, null);
    }

    /** The same, with what was told to the server. */
    public ConversionStatus told(@Nullable OnlineRunStatus run) {
        return new ConversionStatus(
                id, to, method, started, pod, podUid, bytes, stopped, restored, givingUp, run, podRevision);
    }

    /** The same, given up for that reason. */
    public ConversionStatus givenUp(String why) {
        return new ConversionStatus(
                id, to, method, started, pod, podUid, bytes, stopped, restored, why, online, podRevision);
    }

    /** The same, with the server's last answer before the stop. */
    public ConversionStatus stoppedAt(String at) {
        return new ConversionStatus(
                id, to, method, started, pod, podUid, bytes, at, restored, givingUp, online, podRevision);
    }

    /** The same, with the server's first answer after the stop. */
    public ConversionStatus restoredAt(String at) {
        return new ConversionStatus(
                id, to, method, started, pod, podUid, bytes, stopped, at, givingUp, online, podRevision);
    }

    /** The same, of a pod that was made from that revision. */
    public ConversionStatus ofRevision(@Nullable String revision) {
        return new ConversionStatus(
                id, to, method, started, pod, podUid, bytes, stopped, restored, givingUp, online, revision);
    }
}

package dev.datachecksums.e2e.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.client.KubernetesClientException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What the API says when it refuses. */
final class Refusals {
    private Refusals() {}

    /** Asserts the HTTP code and the reason of the Status body, and gives the message. */
    static String refused(int code, String reason, ThrowingCallable call) {
        KubernetesClientException refusal = catchThrowableOfType(KubernetesClientException.class, call);
        assertThat(refusal).as("a refusal with " + code).isNotNull();
        assertThat(refusal.getCode()).as(refusal.getMessage()).isEqualTo(code);
        assertThat(refusal.getStatus().getReason()).isEqualTo(reason);
        return refusal.getStatus().getMessage();
    }
}

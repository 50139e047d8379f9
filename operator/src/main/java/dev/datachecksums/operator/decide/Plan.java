package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.DesiredState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What would be done, and what it will cost.
 *
 * @param to the state to make
 * @param reason why this road and not the others
 * @param bytes of data
 * @param work estimated time that the conversion takes
 * @param outage estimated time without service
 * @param hold whether the pod is held: for work that outlasts the pod's return
 * @param notBefore when the window opens, where it is closed
 */
public record Plan(
        ConversionMethod method,
        DesiredState to,
        String reason,
        long bytes,
        Duration work,
        Duration outage,
        boolean hold,
        Optional<Instant> notBefore) {

    /** The same, beginning then at the earliest. */
    Plan notBefore(Optional<Instant> t) {
        return new Plan(method, to, reason, bytes, work, outage, hold, t);
    }

    /** What has to be over before a window closes: the outage; all of it where there is none. */
    Duration inWindow() {
        return method == ConversionMethod.ONLINE ? work : outage;
    }

    /** About one data size where every page is written anew online; a conversion of files writes none. */
    public long walBytes() {
        return method == ConversionMethod.ONLINE && to == DesiredState.ENABLED ? bytes : 0;
    }
}

package dev.datachecksums.operator.offline;

import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a Job's script has said so far.
 *
 * @param steps when each step was said last, by the script's clock
 * @param last the step said last
 * @param ready what the script found at {@link Step#READY}
 * @param bytesDone bytes that pg_checksums has been through
 * @param bytesTotal bytes that it has to go through
 * @param reason reason of the failure or refusal, one CamelCase word
 * @param message what went wrong, in words
 * @param behind bytes of WAL that a copy is behind the server; empty while it does not follow
 * @param cleaned whether the script's last word says that nothing of a copy is left; empty while it has not said
 * @param lifted whether the script's last word says that both interlocks are lifted; empty while it has not said
 */
public record JobLog(
        Map<Step, Instant> steps,
        Optional<Step> last,
        Optional<Ready> ready,
        long bytesDone,
        long bytesTotal,
        Optional<String> reason,
        Optional<String> message,
        Optional<Boolean> lifted,
        Optional<Long> behind,
        Optional<Boolean> cleaned) {

    /** Nothing was said. */
    public static final JobLog EMPTY = new JobLog(
            Map.of(), Optional.empty(), Optional.empty(), 0, 0, Optional.empty(), Optional.empty(), Optional.empty());

    /** Without a copy. */
    public JobLog(
            Map<Step, Instant> steps,
            Optional<Step> last,
            Optional<Ready> ready,
            long bytesDone,
            long bytesTotal,
            Optional<String> reason,
            Optional<String> message,
            Optional<Boolean> lifted) {
        this(steps, last, ready, bytesDone, bytesTotal, reason, message, lifted, Optional.empty(), Optional.empty());
    }

    /** Copies the steps. */
    public JobLog {
        steps = steps.isEmpty() ? Map.of() : Map.copyOf(new EnumMap<>(steps));
    }

    /**
     * The directory that the Job sees: proof that it is the one of the server that we talk to.
     *
     * @param systemIdentifier of its control file
     * @param postmasterStart line 3 of postmaster.pid, whole seconds
     */
    public record Ready(String systemIdentifier, Instant postmasterStart) {}

    /** Whether the data directory is in the new state: from then on the way forward is the shortest way back into service. */
    public boolean turned() {
        return said(Step.CONVERTED) || said(Step.SWAPPED) || said(Step.DONE);
    }

    /** When a step was said. */
    public Optional<Instant> at(Step step) {
        return Optional.ofNullable(steps.get(step));
    }

    /** Whether a step was said. */
    public boolean said(Step step) {
        return steps.containsKey(step);
    }
}

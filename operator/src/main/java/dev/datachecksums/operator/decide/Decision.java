package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.operator.postgres.online.SessionId;
import dev.datachecksums.operator.postgres.online.Throttle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What to do next: at most one change to the world, carried out by the executor. */
public sealed interface Decision {

    /** Nothing: it is as it should be, or it goes on by itself. */
    record Nothing() implements Decision {}

    /** Begin a try: our finalizer on the resource, then the conversion in its status. The world is not touched yet. */
    record BeginOffline(ConversionStatus conversion, Plan plan) implements Decision {}

    /** Create the Job of the try, on the node and with the volumes of the pod. */
    record StartJob(ConversionStatus conversion) implements Decision {}

    /** Open the superuser session, and CHECKPOINT through it in the background. */
    record HoldSession() implements Decision {}

    /**
     * Write the first interlock through the held session and verify it. Where that fails for a reason that lasts, the
     * session is reported as broken, with the reason: it is not tried again for ever.
     */
    record Arm(ConversionStatus conversion) implements Decision {}

    /**
     * Stop the server: look once more, hold the pod (if so planned), delete it, fast shutdown by SQL. A pod that could not be held
     * and would be replaced at once is not deleted: its container is restarted in place.
     */
    record Stop(ConversionStatus conversion, boolean hold) implements Decision {}

    /** Take our hold off the pod: the next one may be made. Both interlocks are proven lifted. */
    record Release(String pod, String podUid) implements Decision {}

    /**
     * Delete a pod with its own grace, now that nothing keeps the next one from starting: its container is in back-off,
     * or it is marked for deletion with the long grace of our stop and does not end.
     */
    record RestartPod(String pod, String podUid) implements Decision {}

    /**
     * Give the try up: written into the status, so that the way back is taken whatever happens. The held session is
     * closed and forgotten, its record of the interlock too.
     */
    record GiveUp(ConversionStatus conversion, String reason, String message) implements Decision {}

    /** Delete a Job; its script lifts within its grace. */
    record DeleteJob(String job) implements Decision {}

    /** Drop the slot that kept the WAL for a copy: the server serves, and no Job of ours works. */
    record DropSlot() implements Decision {}

    /** Remember when the server first answered again: something of the try is still to be tidied up. */
    record NoteRestored(ConversionStatus conversion) implements Decision {}

    /** Lift the interlock through SQL: the server serves. */
    record LiftBySql() implements Decision {}

    /** Lift both interlocks by a Job: the server is down. */
    record LiftByJob(ConversionStatus conversion, String job) implements Decision {}

    /**
     * The try is over and service is restored: remember the attempts as given, forget the conversion and the held
     * session, remove every Job of this resource. Our finalizer goes with the next look. Where the workload could not be seen any more, the
     * hold is taken off the conversion's pod too, if there still is one.
     *
     * @param counts whether it was a failed try
     * @param attempts what the status remembers from now on; null for nothing
     */
    record EndTry(
            ConversionStatus conversion,
            String reason,
            String message,
            boolean counts,
            @Nullable AttemptsStatus attempts)
            implements Decision {}

    /** The server says that it is done: record it, forget the held session, remove every Job. */
    record Complete(ConversionStatus conversion, LastConversion result) implements Decision {}

    /**
     * Our finalizer on the resource, then this conversion in its status: remains of a try that nobody remembers, or a try
     * whose finalizer somebody has removed.
     */
    record AdoptRemains(ConversionStatus conversion) implements Decision {}

    /** Remove our finalizer: there is nothing to restore. */
    record RemoveFinalizer() implements Decision {}

    /** Begin an online try: it is written into the status, and the server is not told anything yet. */
    record BeginOnline(ConversionStatus conversion, Plan plan) implements Decision {}

    /** Call pg_enable_data_checksums, then remember the conversion as given. */
    record EnableOnline(ConversionStatus conversion, Throttle throttle) implements Decision {}

    /** Call pg_disable_data_checksums, then remember the conversion as given: to disable, or to abort a run that enables. */
    record DisableOnline(ConversionStatus conversion) implements Decision {}

    /** Pass another throttle on to the run under way, then remember the conversion as given. */
    record Retune(ConversionStatus conversion, Throttle throttle) implements Decision {}

    /** End exactly these sessions: the run waits for them, and their grace is over. */
    record TerminateBlockers(List<SessionId> sessions, String why) implements Decision {
        /** Copies the list. */
        public TerminateBlockers {
            sessions = List.copyOf(sessions);
        }
    }
}

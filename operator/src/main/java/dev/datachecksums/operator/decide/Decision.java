package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.LastConversion;

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

    /** Write the first interlock through the held session and verify it. */
    record Arm(ConversionStatus conversion) implements Decision {}

    /** Stop the server: look once more, hold the pod (if so planned), delete it, fast shutdown by SQL. */
    record Stop(ConversionStatus conversion, boolean hold) implements Decision {}

    /** Take our hold off the pod: the next one may be made. */
    record Release(String pod, String podUid) implements Decision {}

    /** Delete a pod whose container is in back-off, now that nothing keeps it from starting. */
    record RestartPod(String pod, String podUid) implements Decision {}

    /** Give the try up: written into the status, so that the way back is taken whatever happens. */
    record GiveUp(ConversionStatus conversion, String reason, String message) implements Decision {}

    /** Delete a Job; its script lifts within its grace. */
    record DeleteJob(String job) implements Decision {}

    /** Lift the interlock through SQL: the server serves. */
    record LiftBySql() implements Decision {}

    /** Lift both interlocks by a Job: the server is down. */
    record LiftByJob(ConversionStatus conversion, String job) implements Decision {}

    /** The try failed and service is restored: count it, forget it, remove our finalizer. */
    record EndTry(ConversionStatus conversion, String reason, String message, boolean counts) implements Decision {}

    /** The server says that it is done: record it, remove the Job and our finalizer. */
    record Complete(ConversionStatus conversion, LastConversion result) implements Decision {}

    /** Remains of a try that nobody remembers: take the way back for them. */
    record AdoptRemains(ConversionStatus conversion) implements Decision {}

    /** Remove our finalizer: there is nothing to restore. */
    record RemoveFinalizer() implements Decision {}
}

package dev.datachecksums.operator.decide.online;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.online.OnlineFacts;
import dev.datachecksums.operator.postgres.online.OnlineProgress;
import java.time.Duration;
import java.time.Instant;

/** Where a run stands, by the server's own word and its processes. */
public sealed interface RunState {
    /** From the call until the launcher is seen this much may pass. */
    Duration START = Duration.ofSeconds(2);

    /** The function is still to be called. */
    record NotCalled() implements RunState {}

    /** The launcher is there, or has just been asked for. */
    record Running() implements RunState {}

    /** The server says that it is in the wanted state. */
    record Reached() implements RunState {}

    /** Nobody works on it any more and nothing will resume it. */
    record Aborted(String reason, String message) implements RunState {}

    /** A disable stands halfway with nobody at work: it has to be told again. */
    record Halfway() implements RunState {}

    /** Judges; the processes and the state are not read in one moment, so what could pass is given its time by the caller's next look. */
    static RunState of(OnlineFacts f, Run run, Instant now) {
        boolean enables = run.to() == DesiredState.ENABLED;
        Instant called = run.called();
        if (f.checksums() == (enables ? ChecksumState.ON : ChecksumState.OFF) && !turning(f, enables)) {
            return new Reached();
        }
        if (called == null) {
            return new NotCalled();
        }
        if (!f.serverStarted().equals(run.serverStarted())) {
            return f.timeline() != run.timeline() && f.timeline() != 0
                    ? new Aborted(
                            "Promoted",
                            "another server is the primary since " + f.serverStarted()
                                    + ": a promotion ends a run, and nothing resumes it")
                    : new Aborted(
                            "ServerRestarted",
                            "the server was started anew at " + f.serverStarted()
                                    + ": a restart ends a run, and nothing resumes it");
        }
        if (f.progress().launcher().isPresent() || now.isBefore(called.plus(START))) {
            return new Running();
        }
        if (!enables && f.checksums() != ChecksumState.ON) {
            return new Halfway();
        }
        return new Aborted(
                enables ? "RunAborted" : "NotDisabled",
                "nobody is at work any more and the server says " + Words.state(f.checksums())
                        + ": a process of the run was ended, a database was dropped, no worker slot was left, or somebody called the other function; the server's log says which");
    }

    /** A launcher that is at the opposite: it was told otherwise since, and turns round when it notices. */
    private static boolean turning(OnlineFacts f, boolean enables) {
        return f.progress()
                .launcher()
                .filter(l ->
                        l.process().step() == (enables ? OnlineProgress.Step.DISABLING : OnlineProgress.Step.ENABLING))
                .isPresent();
    }
}

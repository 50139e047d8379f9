package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobFacts.JobPod;
import dev.datachecksums.operator.offline.JobLog;
import dev.datachecksums.operator.offline.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A Job of the model: its object, its pod, and the script in it, in steps between which anything may happen. */
class ModelJob {
    static final Duration ARMED_FOR = Duration.ofSeconds(20);

    /** Where the script stands. */
    enum Script {
        PENDING,
        STARTED,
        READY,
        ARMED,
        STOPPED,
        REWRITING,
        COPYING,
        CONVERTING,
        PROVING,
        SWAPPED,
        CLEANING,
        CONVERTED,
        WAL_BACK,
        LINE_OUT,
        FAILING,
        ENDED
    }

    final String name;
    final boolean lift;
    final Instant created;
    final DesiredState to;
    final ModelWorld w;
    boolean object = true;
    boolean pod = true;
    Script at = Script.PENDING;
    boolean told;
    boolean touches;
    private int work;
    int exit;
    Instant since;
    Instant postmaster = Instant.EPOCH;
    private final Map<Step, Instant> steps = new EnumMap<>(Step.class);
    private @Nullable Step last;
    JobLog.@Nullable Ready ready;

    @Nullable
    String reason;

    @Nullable
    Boolean lifted;

    @Nullable
    Boolean cleaned;

    ModelJob(ModelWorld w, String name, boolean lift, DesiredState to) {
        this.w = w;
        this.name = name;
        this.lift = lift;
        this.to = to;
        this.created = w.now;
        this.since = w.now;
        this.work = 1 + w.random.nextInt(6);
    }

    boolean running() {
        return pod && at != Script.PENDING && at != Script.ENDED;
    }

    /** Deleted: the pod is told to end, and lifts first. */
    void delete() {
        object = false;
        told = true;
        if (at == Script.PENDING) {
            at = Script.ENDED;
            exit = 143;
        }
    }

    /** SIGKILL: no trap runs. */
    void kill() {
        if (running()) {
            at = Script.ENDED;
            exit = 137;
            touches = false;
        }
    }

    /** One step of the script, or of what surrounds it. */
    void step() {
        if (at == Script.ENDED) {
            pod &= object;
            return;
        }
        if (told && at != Script.FAILING && at != Script.LINE_OUT) {
            fail("Stopped");
            return;
        }
        switch (at) {
            case PENDING -> at = w.nodeFull ? Script.PENDING : Script.STARTED;
            case STARTED -> start();
            case READY -> lookForTheLine();
            case ARMED -> lookForTheStop();
            case STOPPED -> takeWalAway();
            case REWRITING -> rewrite();
            case CONVERTED -> {
                w.walAway = false;
                at = Script.WAL_BACK;
            }
            case WAL_BACK -> {
                w.line = false;
                say(Step.LIFTED);
                at = Script.LINE_OUT;
            }
            case LINE_OUT -> {
                touches = false;
                say(Step.DONE);
                end(0);
            }
            case FAILING -> restore();
            default -> {}
        }
    }

    private void start() {
        if (w.jobs.stream().anyMatch(j -> j != this && j.touches)) {
            return;
        }
        if (w.liftFails || w.walInCopy) {
            reason = w.liftFails ? "LiftFailed" : "WalMissing";
            lifted = !w.line && !w.walAway;
            say(Step.FAILED);
            end(1);
            return;
        }
        w.walAway = false;
        w.line = false;
        if (lift) {
            say(Step.LIFTED);
            end(0);
        } else if (w.scriptFails || !w.serving() || w.is(to)) {
            fail(w.scriptFails ? "StrayFile" : w.serving() ? "AlreadyInState" : "NotServing");
        } else {
            touches = true;
            postmaster = w.postmasterStart;
            ready = new JobLog.Ready(Servers.SYSTEM, w.postmasterStart);
            say(Step.READY);
            at = Script.READY;
        }
    }

    void lookForTheLine() {
        if (w.line) {
            say(Step.ARMED);
            at = Script.ARMED;
        } else if (!w.postmasterUp() || !w.postmasterStart.equals(postmaster)) {
            fail("ServerRestarted");
        }
    }

    void lookForTheStop() {
        if (!w.postmasterUp()) {
            say(Step.STOPPED);
            at = Script.STOPPED;
        } else if (!w.postmasterStart.equals(postmaster)) {
            fail("ServerRestarted");
        } else if (!w.line) {
            fail("InterlockLost");
        } else if (w.anyServes() && w.now.isAfter(since.plus(ARMED_FOR))) {
            fail("StopTimeout");
        }
    }

    private void takeWalAway() {
        w.walAway = true;
        if (w.postmasterUp() || !w.line || !w.clean) {
            fail(w.postmasterUp() ? "ServerStarted" : w.line ? "NotClean" : "InterlockLost");
        } else {
            at = Script.REWRITING;
        }
    }

    private void rewrite() {
        w.violation(w.postmasterUp(), "pg_checksums works beside a postmaster");
        say(Step.REWRITING);
        if (--work <= 0) {
            w.checksums = to;
            say(Step.CONVERTED);
            at = Script.CONVERTED;
        }
    }

    void fail(String why) {
        reason = why;
        at = Script.FAILING;
    }

    private void restore() {
        if (touches && !w.liftFails) {
            w.walAway = false;
            w.line = false;
        }
        touches = false;
        lifted = !w.line && !w.walAway;
        say(Step.FAILED);
        end(told ? 143 : 1);
    }

    void say(Step s) {
        last = s;
        since = w.now;
        steps.put(s, w.now.plus(w.skew));
    }

    void end(int code) {
        exit = code;
        at = Script.ENDED;
    }

    /** What can be seen of it; with an operator that has just started its log may not be read yet. */
    JobFacts facts(boolean unread) {
        return new JobFacts(
                name,
                "uid-" + name,
                lift,
                created,
                !object,
                pod
                        ? Optional.of(new JobPod(
                                name + "-x",
                                "uid-" + name + "-x",
                                running(),
                                at == Script.ENDED,
                                at == Script.ENDED ? Optional.of(exit) : Optional.empty(),
                                !object))
                        : Optional.empty(),
                Optional.empty(),
                at == Script.ENDED,
                unread && running() ? JobLog.EMPTY : log());
    }

    private JobLog log() {
        return new JobLog(
                steps,
                Optional.ofNullable(last),
                Optional.ofNullable(ready),
                0,
                0,
                Optional.ofNullable(reason),
                Optional.ofNullable(reason),
                Optional.ofNullable(lifted),
                Optional.empty(),
                Optional.ofNullable(cleaned));
    }
}

package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.offline.JobLog;
import dev.datachecksums.operator.offline.Step;
import java.time.Duration;

/** The script that converts a copy and swaps it in: what it leaves besides is a directory and a slot. */
final class ModelCopyJob extends ModelJob {
    private static final Duration LOOK_FOR = Duration.ofSeconds(20);
    private int passes;

    ModelCopyJob(ModelWorld w, String name, boolean lift) {
        super(w, name, lift, DesiredState.ENABLED);
        this.passes = 1 + w.random.nextInt(5);
    }

    @Override
    void step() {
        if (at == Script.ENDED) {
            pod &= object;
            return;
        }
        boolean forward = at == Script.SWAPPED || at == Script.CLEANING || at == Script.LINE_OUT;
        if (told && !forward && at != Script.FAILING) {
            fail("Stopped");
            return;
        }
        switch (at) {
            case PENDING -> at = w.nodeFull || (w.secretMissing && !lift) ? Script.PENDING : Script.STARTED;
            case STARTED -> start();
            case COPYING -> {
                say(Step.COPYING);
                goOn(Script.CONVERTING, Step.COPIED);
            }
            case CONVERTING -> {
                say(Step.CONVERTING);
                if (w.scriptFails) {
                    fail("NoRoom");
                } else if (goOn(Script.READY, Step.COPYCONVERTED)) {
                    ready = new JobLog.Ready(Servers.SYSTEM, postmaster);
                    say(Step.READY);
                }
            }
            case READY -> lookForTheLine();
            case ARMED -> lookForTheStop();
            case STOPPED -> takeWal();
            case PROVING -> {
                if (w.chance(20)) {
                    fail("ProofFailed");
                } else {
                    say(Step.PROVEN);
                    swap();
                }
            }
            case SWAPPED -> {
                say(Step.CONVERTED);
                say(Step.LIFTED);
                lifted = true;
                at = Script.LINE_OUT;
            }
            case LINE_OUT -> awaitService();
            case CLEANING -> {
                w.copy = false;
                touches = false;
                say(Step.CLEANED);
                say(Step.DONE);
                end(0);
            }
            case FAILING -> restore();
            default -> throw new IllegalStateException(at.toString());
        }
    }

    private boolean goOn(Script next, Step said) {
        if (!w.serving() || !w.postmasterStart.equals(postmaster)) {
            fail("ServerRestarted");
            return false;
        }
        if (--passes <= 0) {
            passes = 1 + w.random.nextInt(5);
            say(said);
            at = next;
            return true;
        }
        return false;
    }

    private void start() {
        if (w.jobs.stream().anyMatch(j -> j != this && j.touches)) {
            return;
        }
        if (w.liftFails) {
            reason = "LiftFailed";
            lifted = !w.line && !w.walAway;
            cleaned = !w.copy;
            say(Step.FAILED);
            end(1);
            return;
        }
        tidy();
        if (lift) {
            lifted = true;
            cleaned = !w.copy;
            say(Step.LIFTED);
            end(0);
        } else if (w.scriptFails || !w.serving() || w.is(to)) {
            fail(w.scriptFails ? "StrayFile" : w.serving() ? "AlreadyInState" : "NotServing");
        } else {
            touches = true;
            postmaster = w.postmasterStart;
            w.copy = true;
            w.slot = true;
            say(Step.STARTED);
            at = Script.COPYING;
        }
    }

    private void takeWal() {
        w.walAway = true;
        w.walInCopy = true;
        if (w.postmasterUp() || !w.line || !w.clean) {
            fail(w.postmasterUp() ? "ServerStarted" : w.line ? "NotClean" : "InterlockLost");
        } else {
            at = Script.PROVING;
        }
    }

    /** At once: the converted directory has pg_wal, and neither line nor slot. */
    private void swap() {
        w.violation(w.postmasterUp(), "the directories change places under a postmaster");
        w.checksums = to;
        w.walAway = false;
        w.walInCopy = false;
        w.line = false;
        w.slot = false;
        w.servedSinceSwap = false;
        say(Step.SWAPPED);
        at = Script.SWAPPED;
    }

    private void awaitService() {
        if (w.serving()) {
            say(Step.SERVING);
            at = Script.CLEANING;
        } else if (told || w.now.isAfter(since.plus(LOOK_FOR.multipliedBy(10)))) {
            reason = "NotServing";
            cleaned = false;
            touches = false;
            say(Step.FAILED);
            end(1);
        }
    }

    /** Into service first; a copy that has been swapped in keeps the old directory until a server has served from it. */
    private void tidy() {
        w.walAway = false;
        w.walInCopy = false;
        w.line = false;
        if (w.servedSinceSwap) {
            w.violation(w.copy && w.jobs.stream().anyMatch(j -> j != this && j.touches), "two scripts at work");
            w.copy = false;
        }
        if (w.serving()) {
            w.slot = false;
        }
    }

    private void restore() {
        if (touches && !w.liftFails) {
            tidy();
        }
        touches = false;
        lifted = !w.line && !w.walAway;
        cleaned = !w.copy;
        say(Step.FAILED);
        end(told ? 143 : 1);
    }
}

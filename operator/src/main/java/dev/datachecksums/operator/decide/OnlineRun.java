package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.Blockers;
import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.ObservedState;
import dev.datachecksums.api.v1alpha1.OnlinePolicy;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.decide.online.Adaptation;
import dev.datachecksums.operator.decide.online.ReplicaLimit;
import dev.datachecksums.operator.decide.online.Run;
import dev.datachecksums.operator.decide.online.RunState;
import dev.datachecksums.operator.decide.online.WaitingOn;
import dev.datachecksums.operator.decide.online.WalRoom;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.OnlineView;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.online.Throttle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * An online conversion is under way. The server does it by itself and nothing resumes it there, so what is decided is whether it still
 * goes on, what it waits for, how hard it may go, and when it has to be told again. Deleting the resource leaves it alone: the server
 * keeps the state that it comes to.
 */
final class OnlineRun {

    /** A running conversion is looked at so often: its end is known within two of them. */
    static final Duration LOOK = Duration.ofSeconds(1);

    private final Gate gate;
    private final OnlineWayBack wayBack = new OnlineWayBack();

    OnlineRun(Gate gate) {
        this.gate = gate;
    }

    Verdict decide(Observation o, ConversionStatus c) {
        if (o.resource().deleting()) {
            return watching(o, "Deleted", "the resource is deleted: the server goes on by itself and keeps its state");
        }
        if (o.conflict().isPresent()) {
            return end(
                    o,
                    c,
                    new GivingUp(
                            GivingUp.CONFLICT,
                            "the older resource " + o.conflict().get() + " declares the same server"));
        }
        List<Finding> findings = gate.askServer(o);
        if (!findings.isEmpty()) {
            return watching(o, findings.get(0).check(), findings.get(0).words()).waitingFor(findings, false);
        }
        if (o.server() instanceof Fact.Missing<ServerFacts> m) {
            return watching(o, m.reason(), m.message());
        }
        if (!o.server().seen().orElseThrow().onlineFunctions()) {
            return end(
                    o,
                    c,
                    new GivingUp(
                            "FunctionsGone", "the server that answers now has no function to convert online with"));
        }
        if (o.online() instanceof Fact.Missing<OnlineView> m) {
            return watching(o, m.reason(), m.message());
        }
        return seen(o, c, o.online().seen().orElseThrow());
    }

    private Verdict seen(Observation o, ConversionStatus c, OnlineView view) {
        Throttle asked = OnlineRoad.asked(o);
        Run run = RunMemory.of(c, view.facts(), asked);
        RunState state = RunState.of(view.facts(), run, o.at());
        Optional<GivingUp> why = GivingUp.of(c);
        if (why.isPresent()) {
            return wayBack.decide(o, c, view, why.get());
        }
        if (o.spec().state() != c.to()) {
            return flip(o, view, asked);
        }
        if (state instanceof RunState.Reached) {
            return complete(o, c);
        }
        if (o.spec().suspended() && c.to() == DesiredState.ENABLED) {
            return giveUp(
                    c,
                    new GivingUp(
                            GivingUp.SUSPENDED, "spec.suspend became true: the run is aborted, checksums stay off"));
        }
        if (state instanceof RunState.NotCalled) {
            return call(o, c, view, asked, "Calling", "the server is told to switch its checksums");
        }
        if (state instanceof RunState.Aborted a) {
            return end(o, c, new GivingUp(a.reason(), a.message()));
        }
        if (state instanceof RunState.Halfway) {
            return call(
                    o,
                    c,
                    view,
                    asked,
                    "DisableStuck",
                    "the server is halfway to off and nobody is at work: it is told again");
        }
        return running(o, c, view, run, asked);
    }

    /** At once, before the state is believed: a launcher that was called for the other state may not even have begun. */
    private static Verdict flip(Observation o, OnlineView view, Throttle asked) {
        ConversionStatus other =
                OnlineRoad.conversion(o, o.spec().state(), view.facts().totalBytes());
        return call(
                o,
                other,
                view,
                asked,
                GivingUp.STATE_FLIPPED,
                "spec.state was changed meanwhile: the server is told so");
    }

    static Verdict call(
            Observation o, ConversionStatus c, OnlineView view, Throttle asked, String reason, String message) {
        ConversionStatus called = RunMemory.called(c, view.facts(), asked, o.at());
        return Verdict.of(
                Phase.CONVERTING,
                reason,
                message,
                c.to() == DesiredState.ENABLED
                        ? new Decision.EnableOnline(called, asked)
                        : new Decision.DisableOnline(called));
    }

    private static Verdict running(Observation o, ConversionStatus c, OnlineView view, Run run, Throttle asked) {
        boolean enables = c.to() == DesiredState.ENABLED;
        if (enables) {
            Optional<String> noRoom = view.walSpace()
                    .flatMap(s -> WalRoom.belowFloor(s, view.facts().wal()));
            if (noRoom.isPresent()) {
                return giveUp(
                        c, new GivingUp("WalSpaceLow", noRoom.get() + ": the run is aborted, checksums stay off"));
            }
        }
        Duration stood = view.moved().map(m -> Duration.between(m, o.at())).orElse(Duration.ZERO);
        Optional<WaitingOn> waits = view.waitingOn(o.at(), run.throttle());
        OnlinePolicy policy = o.spec().policy().online();
        if (waits.isPresent()
                && policy.blockers() == Blockers.TERMINATE
                && !waits.get().sessions().isEmpty()
                && stood.compareTo(Durations.parse(policy.blockersGrace())) >= 0) {
            return Verdict.of(
                            Phase.CONVERTING,
                            "BlockersTerminated",
                            "policy.online.blockers is Terminate and blockersGrace is over: "
                                    + waits.get().message(),
                            new Decision.TerminateBlockers(
                                    waits.get().sessions(), waits.get().reason()))
                    .until(o.at().plus(LOOK));
        }
        Optional<Adaptation> other = enables
                ? Adaptation.of(view.facts(), run, asked, ReplicaLimit.bytes(policy), view.bytesPerSecond(), o.at())
                : Optional.empty();
        if (other.isPresent()) {
            Adaptation a = other.get();
            return Verdict.of(
                    Phase.CONVERTING,
                    a.reason(),
                    a.message(),
                    new Decision.Retune(
                            RunMemory.tuned(c, a.asked(), a.throttle(), a.message(), o.at()), a.throttle()));
        }
        return report(o, waits, stood);
    }

    private static Verdict report(Observation o, Optional<WaitingOn> waits, Duration stood) {
        boolean tooLong = stood.compareTo(Durations.parse(o.spec().policy().stalledAfter())) >= 0;
        if (waits.isPresent()) {
            WaitingOn w = waits.get();
            Finding finding = new Finding.Wait(w.reason(), w.message(), w.remedy());
            return watching(o, w.reason(), finding.words()).waitingFor(List.of(finding), tooLong);
        }
        if (tooLong) {
            Finding finding = new Finding.Wait(
                    "NoProgress",
                    "no counter of the run has moved for " + Durations.format(stood),
                    "See what its processes wait for in pg_stat_activity, and the server's log");
            return watching(o, "NoProgress", finding.words()).waitingFor(List.of(finding), true);
        }
        return watching(o, "Converting", "the server switches its checksums while it serves; see status.progress");
    }

    private static Verdict watching(Observation o, String reason, String message) {
        return Verdict.of(Phase.CONVERTING, reason, message, new Decision.Nothing())
                .until(o.at().plus(LOOK));
    }

    static Verdict giveUp(ConversionStatus c, GivingUp why) {
        return Verdict.of(
                Phase.CONVERTING, why.reason(), why.message(), new Decision.GiveUp(c, why.reason(), why.message()));
    }

    /** The try is over, and nothing is left of it. */
    static Verdict end(Observation o, ConversionStatus c, GivingUp why) {
        return Verdict.of(
                Phase.WAITING,
                why.reason(),
                why.message(),
                new Decision.EndTry(c, why.reason(), why.message(), why.counts(), Attempts.after(o, why)));
    }

    private static Verdict complete(Observation o, ConversionStatus c) {
        boolean on = c.to() == DesiredState.ENABLED;
        LastConversion result = new LastConversion(
                on ? ObservedState.OFF : ObservedState.ON,
                on ? ObservedState.ON : ObservedState.OFF,
                ConversionMethod.ONLINE,
                Times.seconds(Times.parse(c.started())),
                Times.seconds(o.at()),
                Durations.format(Duration.ZERO),
                c.bytes(),
                Attempts.count(Attempts.of(o)) + 1);
        return Verdict.of(
                Phase.CONVERGED,
                "Converged",
                "the server says: data_checksums " + (on ? "on" : "off"),
                new Decision.Complete(c, result));
    }
}

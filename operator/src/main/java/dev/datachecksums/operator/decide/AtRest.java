package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.OnDrift;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.api.v1alpha1.WindowSpec;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** No conversion is under way: is the server as declared, and if not, may and can one begin? */
final class AtRest {

    /** Reason of a missing workload that will be seen again by itself. */
    static final String API_UNAVAILABLE = "ApiUnavailable";

    private final Gate gate;
    private final Planner planner;

    AtRest(Gate gate, Planner planner) {
        this.gate = gate;
        this.planner = planner;
    }

    Verdict decide(Observation o) {
        if (o.conflict().isPresent()) {
            // Another resource acts on this server: its interlock and its hold are none of our business.
            return o.resource().deleting()
                    ? letGo(o)
                    : blocked(o, List.of(conflict(o.conflict().get())));
        }
        Optional<Verdict> remains = Remains.of(o);
        if (remains.isPresent()) {
            return remains.get();
        }
        if (o.resource().deleting() || o.resource().finalizer()) {
            return letGo(o);
        }
        List<Finding> findings = gate.askServer(o);
        if (!findings.isEmpty()) {
            return blocked(o, findings);
        }
        if (o.server() instanceof Fact.Missing<ServerFacts> m) {
            // No check of the chain knew this reason: a server that cannot be asked is never passed over.
            return blocked(o, List.of(new Finding.Block("Reachable", m.message(), m.remedy())));
        }
        return reachable(o, o.server().seen().orElseThrow());
    }

    private Verdict reachable(Observation o, ServerFacts server) {
        if (is(server.checksums(), o.spec().state())) {
            return Nodes.all(o, o.spec().state()) ? converged(o, server) : following(o);
        }
        boolean online = OnlineRoad.open(o, server);
        Plan plan = online ? OnlineRoad.plan(o, server) : planner.offline(o, server);
        String mismatch = "the server says " + word(server.checksums()) + ", declared is "
                + o.spec().state().name().toLowerCase(Locale.ROOT)
                + Nodes.words(o, o.spec().state());
        if (o.spec().suspended()) {
            return Verdict.of(
                            Phase.SUSPENDED,
                            "Suspended",
                            mismatch + "; spec.suspend is true: nothing is changed",
                            new Decision.Nothing())
                    .with(plan);
        }
        if (o.spec().policy().onDrift() == OnDrift.REPORT
                && o.status().convergedState() == o.spec().state()) {
            return Verdict.of(
                    Phase.DRIFTED,
                    "Drifted",
                    "the server was as declared and is not any more: " + mismatch
                            + ". policy.onDrift is Report: set it to Correct to have it converted again",
                    new Decision.Nothing());
        }
        AttemptsStatus tries = Attempts.of(o);
        if (Attempts.count(tries) >= o.spec().policy().maxAttempts()) {
            return Verdict.of(
                    Phase.FAILED,
                    "AttemptsExhausted",
                    Attempts.count(tries) + " tries failed; the last: " + tries.lastError()
                            + ". Service is restored. Change the spec to have it tried again",
                    new Decision.Nothing());
        }
        List<Finding> findings = online ? gate.askOnline(o) : offline(o, plan);
        if (!findings.isEmpty()) {
            return blocked(o, findings).with(plan);
        }
        return whenItIsTime(o, plan, tries);
    }

    private List<Finding> offline(Observation o, Plan plan) {
        List<Finding> findings = new ArrayList<>(gate.askOffline(o));
        if (plan.method() == ConversionMethod.TEMPORARY_STANDBY) {
            findings.addAll(gate.askStandby(o));
        }
        return List.copyOf(findings);
    }

    private Verdict whenItIsTime(Observation o, Plan plan, AttemptsStatus tries) {
        Optional<Instant> retry = Attempts.notBefore(tries, o.at());
        if (retry.isPresent() && o.at().isBefore(retry.get())) {
            String last = Attempts.count(tries) == 0
                    ? "the last try was given up"
                    : "try " + Attempts.count(tries) + " of "
                            + o.spec().policy().maxAttempts() + " failed";
            return Verdict.of(
                            Phase.WAITING,
                            "BackOff",
                            last + ": " + tries.lastError() + ". The next one begins at " + retry.get(),
                            new Decision.Nothing())
                    .with(plan.notBefore(retry))
                    .until(retry.get());
        }
        Windows.State window = Windows.at(o.spec().policy().window(), o.at());
        if (window instanceof Windows.State.Open open) {
            return begin(o, plan, open);
        }
        if (window instanceof Windows.State.Closed closed) {
            if (StandbyRoad.neverFits(o, plan)) {
                return tooShort(o, plan, o.at());
            }
            Optional<Instant> early = closed.opens().flatMap(t -> StandbyRoad.begins(o, plan, t));
            if (early.isPresent() && !o.at().isBefore(early.get())) {
                return StandbyRoad.begin(o, plan);
            }
            if (early.isPresent()) {
                return windowClosed(plan, early)
                        .saying("ready; the copy is begun at " + early.get()
                                + ", so that it can take over when the window opens at "
                                + closed.opens().get());
            }
            return windowClosed(plan, closed.opens());
        }
        String why = ((Windows.State.Invalid) window).message();
        return blocked(o, List.of(new Finding.Block("InWindow", why, "Correct policy.window")))
                .with(plan);
    }

    private static Verdict windowClosed(Plan plan, Optional<Instant> opens) {
        String message = opens.map(t -> "ready; the window opens at " + t)
                .orElse("the schedule of the window never comes again: correct policy.window.schedule");
        Verdict v = Verdict.of(Phase.WAITING, "WindowClosed", message, new Decision.Nothing())
                .with(plan.notBefore(opens));
        return opens.map(v::until).orElse(v);
    }

    private static Verdict begin(Observation o, Plan plan, Windows.State.Open window) {
        if (!window.fits(o.at(), StandbyRoad.inWindow(o, plan))) {
            return tooShort(o, plan, window.until());
        }
        if (plan.method() == ConversionMethod.ONLINE) {
            return OnlineRoad.begin(o, plan);
        }
        if (plan.method() == ConversionMethod.TEMPORARY_STANDBY) {
            return StandbyRoad.begin(o, plan);
        }
        return beginOffline(
                o,
                plan,
                JobNames.convert(o.resource().name(), o.resource().uid(), o.at()),
                "a Job is started beside the server and checks its tools; the server goes on serving");
    }

    /** Begins a try whose Job has this name, and is told by this message. */
    static Verdict beginOffline(Observation o, Plan plan, String job, String message) {
        PodFacts pod = o.workload().seen().flatMap(WorkloadFacts::pod).orElse(null);
        ConversionStatus c = new ConversionStatus(
                job,
                plan.to(),
                plan.method(),
                o.at().toString(),
                pod == null ? null : pod.name(),
                pod == null ? null : pod.uid(),
                plan.bytes() == 0 ? null : Long.valueOf(plan.bytes()),
                null,
                null,
                null);
        return Verdict.of(
                        Phase.CONVERTING,
                        "Preparing",
                        message,
                        new Decision.BeginOffline(
                                c.ofRevision(pod == null ? null : pod.revision().orElse(null)), plan))
                .with(plan);
    }

    /** The rest of this window, or every window, is shorter than the outage, or than the whole where there is none. */
    private static Verdict tooShort(Observation o, Plan plan, Instant closes) {
        WindowSpec window = o.spec().policy().window();
        String what = plan.method() == ConversionMethod.ONLINE ? "the estimated duration" : "the estimated outage";
        if (window != null && Durations.parse(window.duration()).compareTo(StandbyRoad.inWindow(o, plan)) < 0) {
            return blocked(
                            o,
                            List.of(new Finding.Block(
                                    "InWindow",
                                    "policy.window.duration (" + window.duration()
                                            + ") is shorter than " + what + " ("
                                            + Durations.format(StandbyRoad.inWindow(o, plan)) + ")",
                                    plan.method() == ConversionMethod.ONLINE
                                            ? "allow a longer window, or loosen policy.online.costDelay and costLimit"
                                            : "allow a longer window")))
                    .with(plan);
        }
        return Verdict.of(
                        Phase.WAITING,
                        "WindowTooShort",
                        "what is left of the window (until " + closes + ") is shorter than " + what
                                + "; it begins when the next one opens",
                        new Decision.Nothing())
                .with(plan)
                .until(closes);
    }

    private static Verdict following(Observation o) {
        return Verdict.of(
                o.spec().suspended() ? Phase.SUSPENDED : Phase.WAITING,
                "NodesFollow",
                "the primary is as declared, its standbys follow"
                        + Nodes.words(o, o.spec().state()),
                new Decision.Nothing());
    }

    private static Verdict converged(Observation o, ServerFacts server) {
        String says = "PostgreSQL " + server.serverVersion() + " says: data_checksums " + word(server.checksums())
                + Nodes.words(o, o.spec().state());
        return o.spec().suspended()
                ? Verdict.of(Phase.SUSPENDED, "Converged", says + "; spec.suspend is true", new Decision.Nothing())
                : Verdict.of(Phase.CONVERGED, "Converged", says, new Decision.Nothing());
    }

    static Phase phaseNow(Observation o) {
        Phase p = o.status().phase();
        return p == null ? Phase.PENDING : p;
    }

    /** Nothing of ours is there; or, where that cannot be told just now, the finalizer stays until it can. */
    private static Verdict letGo(Observation o) {
        if (o.resource().finalizer()
                && o.workload() instanceof Fact.Missing<WorkloadFacts> m
                && m.reason().equals(API_UNAVAILABLE)) {
            return Verdict.of(phaseNow(o), m.reason(), m.message(), new Decision.Nothing());
        }
        return Remains.mayShow(o)
                .orElseGet(() -> Verdict.of(
                        phaseNow(o),
                        "NothingToRestore",
                        "no conversion is under way",
                        o.resource().finalizer() ? new Decision.RemoveFinalizer() : new Decision.Nothing()));
    }

    private static Finding conflict(String other) {
        return new Finding.Block(
                "Conflict",
                "the older resource " + other + " declares the same server and acts on it",
                "delete one of the two");
    }

    private static Verdict blocked(Observation o, List<Finding> findings) {
        Finding first = findings.stream()
                .filter(f -> f instanceof Finding.Block)
                .findFirst()
                .orElse(findings.get(0));
        boolean hard = first instanceof Finding.Block;
        Phase phase = hard ? Phase.BLOCKED : o.server().seen().isPresent() ? Phase.WAITING : Phase.PENDING;
        if (o.spec().suspended()) {
            phase = Phase.SUSPENDED;
        }
        return new Verdict(
                phase,
                first.check(),
                first.words(),
                new Decision.Nothing(),
                Optional.empty(),
                findings,
                Optional.empty());
    }

    static boolean is(ChecksumState actual, DesiredState wanted) {
        return actual == Observation.declared(wanted);
    }

    static String word(ChecksumState s) {
        return s.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

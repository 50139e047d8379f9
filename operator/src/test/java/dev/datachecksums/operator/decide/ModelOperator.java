package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.api.v1alpha1.StatusCondition;
import dev.datachecksums.operator.act.Outcome;
import dev.datachecksums.operator.decide.check.Gates;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.status.StatusReport;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The operator in the model: it observes what can be seen, decides by the real decider, and acts; it may die anywhere. */
final class ModelOperator {

    /** It dies here. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** The node that it is about now. */
    private ModelWorld w;

    private final List<ModelWorld> nodes;
    private final Decider decider = new Decider(Gates.standard());

    // the resource
    DesiredState declared = DesiredState.ENABLED;
    boolean suspended;
    boolean deleting;
    boolean finalizer;
    boolean gone;
    long generation = 1;
    OfflineStrategy strategy = OfflineStrategy.IN_PLACE;
    Method method = Method.PREFER_ONLINE;
    DataChecksumsStatus status = DataChecksumsStatus.EMPTY;

    // its memory
    private final ModelSession session;
    private final ModelJobs jobs;
    private String saidLast = "";
    /** Who served when it looked last: a report is true of then. */
    private List<ModelWorld> served = List.of();

    int killPercent;
    int begun;
    /** Somebody has removed its status, and with it all that it remembered. */
    boolean wiped;
    /** The workload was scaled at some time. */
    boolean scaled;
    /** How often it could have noticed that somebody has removed its finalizer. */
    int looks;

    ModelOperator(ModelWorld w) {
        this(List.of(w));
    }

    /** Of a primary, the first, and its standbys. */
    ModelOperator(List<ModelWorld> nodes) {
        this.nodes = nodes;
        this.w = nodes.get(0);
        this.session = new ModelSession(w);
        this.jobs = new ModelJobs(nodes);
    }

    /** All that was in memory is lost. */
    void kill() {
        w.tell("operator killed");
        session.close(w);
        jobs.forget();
    }

    /** Observe, decide, act, report. */
    void reconcile() {
        if (gone) {
            return;
        }
        session.step(w);
        looks += w.apiDown ? 0 : 1;
        Observation o = observe();
        Verdict v = decider.decide(o);
        String said = v.reason() + v.decision().getClass();
        if (!said.equals(saidLast)) {
            w.tell(v.phase() + " " + v.reason() + " " + v.decision());
        }
        saidLast = said;
        try {
            Outcome out = act(o, v);
            mayDie();
            if (!(v.decision() instanceof Decision.RemoveFinalizer)) {
                report(o, v, out);
            }
        } catch (Killed e) {
            kill();
        }
        gone = deleting && !finalizer;
    }

    private void report(Observation o, Verdict v, Outcome out) {
        DataChecksumsStatus next = StatusReport.of(o, v, out);
        boolean ready = Objects.requireNonNull(next.conditions()).stream()
                .filter(c -> c.type().equals("Ready"))
                .map(StatusCondition::status)
                .anyMatch("True"::equals);
        // That there are several cannot be seen while the API is away, and is remembered in the status.
        boolean unseen = w.apiDown && (scaled || wiped);
        nodes.stream()
                .filter(n -> !unseen && (n.replicas > 0 || n.pod != null))
                .forEach(n -> w.violation(
                        ready && !(served.contains(n) && n.is(declared)), "Ready, and " + n.name + " says otherwise"));
        status = next;
    }

    private void mayDie() {
        if (w.chance(killPercent)) {
            throw new Killed();
        }
    }

    // ---- observe

    private Observation observe() {
        served = nodes.stream().filter(ModelWorld::serving).toList();
        Observations o = Observations.atRest()
                .at(w.now)
                .generation(generation)
                .finalizer(finalizer)
                .state(declared)
                .strategy(strategy)
                .method(method)
                .session(session.facts());
        if (suspended) {
            o.suspended();
        }
        if (deleting) {
            o.deleting();
        }
        ModelNodes several = new ModelNodes(nodes, status);
        w = several.focus(declared);
        if (several.told(w)) {
            several.tell(o, w);
        } else {
            ModelView.tell(o, w, status.conversion() != null);
        }
        jobs.tell(o, w, status.conversion());
        return o.status(status).build();
    }

    // ---- act

    private Outcome act(Observation o, Verdict v) {
        Decision d = v.decision();
        Outcome same = Outcome.unchanged(o);
        if (d instanceof Decision.Nothing) {
            return same;
        }
        if (w.apiDown && !(d instanceof Decision.LiftBySql || d instanceof Decision.GiveUp)) {
            return same;
        }
        mayDie();
        if (w.chance(30)) {
            // The world does not wait for what follows from an observation.
            Duration time = w.time();
            nodes.forEach(n -> n.step(time));
        }
        if (d instanceof Decision.BeginOffline begin) {
            return begin(same, begin.conversion());
        } else if (d instanceof Decision.AdoptRemains adopt) {
            return begin(same, adopt.conversion());
        } else if (d instanceof Decision.StartJob start) {
            ModelJobs.create(w, start.conversion().id(), false, start.conversion());
        } else if (d instanceof Decision.LiftByJob lift) {
            ModelJobs.create(w, lift.job(), true, lift.conversion());
        } else if (d instanceof Decision.HoldSession) {
            session.hold(w);
        } else if (d instanceof Decision.Arm) {
            session.arm(w);
        } else if (d instanceof Decision.Stop stop) {
            return stop(o, same, stop);
        } else if (d instanceof Decision.Release release) {
            w.lifted("the pod is released");
            if (w.pod != null && w.pod.uid.equals(release.podUid())) {
                w.pod.held = false;
            }
        } else if (d instanceof Decision.RestartPod restart) {
            w.violation(w.deployment, "a pod is deleted whose next one would not wait for its end");
            if (w.pod != null && w.pod.uid.equals(restart.podUid())) {
                w.deletePod(Duration.ofSeconds(30));
            }
        } else if (d instanceof Decision.GiveUp up) {
            session.close(w);
            return conversion(
                    same,
                    ModelView.with(up.conversion(), up.conversion().stopped(), up.reason() + ": " + up.message()));
        } else if (d instanceof Decision.DeleteJob delete) {
            jobs.delete(delete.job());
        } else if (d instanceof Decision.DropSlot) {
            w.violation(
                    w.jobs.stream().anyMatch(j -> j.touches && !j.lift && !w.is(DesiredState.ENABLED)),
                    "a slot in use is dropped");
            w.slot = w.slot && !(w.serving() && !w.unreachable);
        } else if (d instanceof Decision.NoteRestored note) {
            return conversion(same, note.conversion().restoredAt(o.at().toString()));
        } else if (d instanceof Decision.LiftBySql) {
            w.line = w.line && !(w.serving() && !w.unreachable);
        } else if (d instanceof Decision.EndTry end) {
            return endTry(o, same, end);
        } else if (d instanceof Decision.Complete done) {
            w.lifted("the conversion is complete");
            cleaned("the conversion is complete", o, done.conversion());
            w.violation(!w.is(done.conversion().to()), "complete, and the control file says otherwise");
            forget();
            return new Outcome(null, null, done.result(), Optional.empty(), true, Optional.empty());
        } else if (d instanceof Decision.RemoveFinalizer) {
            w.violation(w.workload && w.pod != null && w.pod.held, "nobody remembers the hold");
            finalizer = false;
        }
        return same;
    }

    private Outcome begin(Outcome same, ConversionStatus c) {
        finalizer |= !deleting;
        mayDie();
        begun++;
        return conversion(same, c);
    }

    private Outcome stop(Observation o, Outcome same, Decision.Stop stop) {
        ModelWorld.Pod p = w.pod;
        if (p == null || !p.uid.equals(stop.conversion().podUid()) || p.deleting != null) {
            return same;
        }
        if (!w.line) {
            return conversion(same, ModelView.with(stop.conversion(), null, "InterlockLost: the interlock was gone"));
        }
        nodes.forEach(n -> w.violation(
                !w.standby
                        && n.standby
                        && n.serving()
                        && !scaled
                        && !n.is(stop.conversion().to()),
                "the primary is stopped before " + n.name + " has the new state"));
        w.violation(w.deployment && stop.hold(), "a hold that holds nothing");
        p.held |= stop.hold();
        mayDie();
        if (!w.deployment) {
            w.deletePod(Duration.ofMinutes(30));
        }
        mayDie();
        if (session.ready() && w.serving()) {
            p.container = ModelWorld.Container.SHUTTING_DOWN;
        }
        mayDie();
        return conversion(same, ModelView.with(stop.conversion(), o.at().toString(), null));
    }

    /** A try by a copy ends without one left, unless lift Jobs have failed again and again beside a server that serves. */
    private void cleaned(String when, Observation o, ConversionStatus c) {
        // As they were when it was decided: somebody may have deleted them since.
        long tries = o.jobs().stream().filter(j -> j.lift() && j.over()).count();
        boolean pod = o.workload().seen().flatMap(WorkloadFacts::pod).isPresent();
        w.violation(w.copy && Copy.of(c) && pod && tries < Lift.KEPT, when + ", and a copy is left");
        w.violation(w.slot && Copy.of(c) && o.server().seen().isPresent(), when + ", and a slot is left");
    }

    private Outcome endTry(Observation o, Outcome same, Decision.EndTry end) {
        cleaned("the try is over", o, end.conversion());
        if (w.workload) {
            w.lifted("the try is over");
            w.violation(w.pod != null && w.pod.held, "the try is over, and a pod is held");
        } else if (w.pod != null) {
            w.pod.held = false;
        }
        forget();
        mayDie();
        AttemptsStatus attempts = end.attempts();
        return new Outcome(null, attempts, same.last(), Optional.empty(), true, Optional.empty());
    }

    private void forget() {
        session.close(w);
        jobs.deleteAll();
    }

    private static Outcome conversion(Outcome same, ConversionStatus c) {
        LastConversion last = same.last();
        return new Outcome(c, same.attempts(), last, Optional.empty(), true, Optional.empty());
    }
}

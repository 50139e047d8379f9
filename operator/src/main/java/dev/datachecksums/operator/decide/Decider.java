package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.operator.observe.Observation;

/**
 * Decides what to do next from what is observed. Pure: the same observation gives the same verdict, and it carries its
 * own time.
 */
public final class Decider {

    private final AtRest atRest;
    private final UnderWay underWay;
    private final WayBack wayBack = new WayBack();
    private final OnlineRun onlineRun;

    /** With the gate that every conversion has to pass. */
    public Decider(Gate gate) {
        Planner planner = new Planner(gate.standby());
        this.atRest = new AtRest(gate, planner);
        this.underWay = new UnderWay(gate, planner);
        this.onlineRun = new OnlineRun(gate);
    }

    /** The one next thing to do, and how to report it. */
    public Verdict decide(Observation o) {
        ConversionStatus c = o.status().conversion();
        if (c == null) {
            return atRest.decide(o);
        }
        if (c.method() == ConversionMethod.ONLINE) {
            // Nothing of ours is in the world that would have to be restored: the server works by itself.
            return onlineRun.decide(o, c);
        }
        if (!o.resource().finalizer() && !o.resource().deleting()) {
            // Without it a deletion of the resource would be forgotten, and the pod held for ever.
            return Verdict.of(
                    AtRest.phaseNow(o),
                    "FinalizerMissing",
                    "somebody has removed our finalizer from the resource while it is needed: it is put back",
                    new Decision.AdoptRemains(c));
        }
        Verdict v = GivingUp.of(c).map(why -> wayBack.decide(o, c, why)).orElseGet(() -> underWay.decide(o, c));
        Verdict judged = Stalls.judge(o, c, v);
        // Of several nodes a person wants to know which.
        return Nodes.several(o) && c.pod() != null ? judged.saying(c.pod() + ": " + judged.message()) : judged;
    }
}

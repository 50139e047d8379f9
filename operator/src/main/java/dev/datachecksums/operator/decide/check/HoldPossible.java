package dev.datachecksums.operator.decide.check;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.Plan;
import dev.datachecksums.operator.decide.Planner;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;

/**
 * Whether a server can be kept from being started for as long as pg_checksums works. Where only the interlock does, its container meets
 * that again and again: nothing is lost by it, but the kubelet waits longer each time, and with it the outage lasts.
 */
final class HoldPossible implements ServerCheck {

    private final Planner planner;

    HoldPossible(Planner planner) {
        this.planner = planner;
    }

    @Override
    public String name() {
        return "HoldPossible";
    }

    @Override
    public Finding examine(Observation o, ServerFacts server) {
        Plan plan = planner.offline(o, server);
        return plan.method() == ConversionMethod.IN_PLACE && Planner.unheld(o, plan.work())
                ? block(
                        "pg_checksums would work for about " + Durations.format(plan.work())
                                + ", and the "
                                + o.workload().seen().map(WorkloadFacts::kind).orElse("workload")
                                + " cannot be held: its container would be started, and meet the interlock, again and again"
                                + " meanwhile",
                        "Set policy.offline.strategy to Auto or TemporaryStandby and see status.plan.reason for what that lacks, or run the server in a StatefulSet, whose pod can be held")
                : pass();
    }
}

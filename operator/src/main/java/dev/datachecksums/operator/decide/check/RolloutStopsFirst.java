package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.observe.Observation;

/** Whether a rollout of the workload, which anybody may begin at any time, ends the old server before it starts the next. */
final class RolloutStopsFirst implements WorkloadCheck {

    @Override
    public String name() {
        return "RolloutStopsFirst";
    }

    @Override
    public Finding examine(Observation o, WorkloadFacts workload) {
        return workload.rolloutOverlap()
                .map(why -> block(why, "Set spec.strategy to type Recreate, as every server with one volume needs it"))
                .orElseGet(this::pass);
    }
}

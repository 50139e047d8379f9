package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.observe.Observation;

/** Whether the next pod would be the same: a change that waits for a restart must not be rolled out by ours. */
final class PendingRollout implements WorkloadCheck {

    @Override
    public String name() {
        return "PendingRollout";
    }

    @Override
    public Finding examine(Observation o, WorkloadFacts workload) {
        return workload.pendingRollout()
                .map(why -> block(
                        "A change of the workload waits for its rollout, or is being rolled out: " + why,
                        "Roll the change out first, or take it back"))
                .orElseGet(this::pass);
    }
}

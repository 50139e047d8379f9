package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.observe.Observation;

/** Whether nobody else uses the volume: a second postmaster or a copying tool would not see the interlock in time. */
final class OtherPodsOnClaim implements WorkloadCheck {

    @Override
    public String name() {
        return "OtherPodsOnClaim";
    }

    @Override
    public Finding examine(Observation o, WorkloadFacts workload) {
        return workload.otherPods().isEmpty()
                ? pass()
                : block(
                        "Other pods use the volume of the server: " + String.join(", ", workload.otherPods()),
                        "Wait for their end, or delete them");
    }
}

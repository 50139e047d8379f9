package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.observe.Observation;

/** Whether the pod may be disrupted: a deletion would not ask the budget. */
final class DisruptionBudget implements WorkloadCheck {

    @Override
    public String name() {
        return "DisruptionBudget";
    }

    @Override
    public Finding examine(Observation o, WorkloadFacts workload) {
        return workload.budgets().isEmpty()
                ? pass()
                : block(
                        "PodDisruptionBudget " + String.join(", ", workload.budgets())
                                + " allows no disruption of the pod now",
                        "Allow one (a budget over a single pod needs maxUnavailable: 1), or delete the budget for the conversion");
    }
}

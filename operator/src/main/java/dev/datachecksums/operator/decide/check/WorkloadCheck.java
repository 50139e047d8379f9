package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.observe.Observation;

/** A check of what runs the server: it passes where that could not be seen, {@link WorkloadKnown} has said so. */
interface WorkloadCheck extends Check {

    /** Looks at the workload. */
    Finding examine(Observation o, WorkloadFacts workload);

    @Override
    default Finding examine(Observation o) {
        return o.workload().seen().map(w -> examine(o, w)).orElseGet(this::pass);
    }
}

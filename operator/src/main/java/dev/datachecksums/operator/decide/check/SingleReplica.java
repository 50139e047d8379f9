package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.observe.Observation;

/** Whether there is one pod: of several, each has a state of its own, and this release converts one. */
final class SingleReplica implements WorkloadCheck {

    @Override
    public String name() {
        return "SingleReplica";
    }

    @Override
    public Finding examine(Observation o, WorkloadFacts workload) {
        int replicas = workload.replicas();
        if (replicas == 0) {
            return block(
                    workload.kind() + " " + workload.name() + " is scaled to 0: nothing runs that could be converted",
                    "Scale it to 1");
        }
        return replicas == 1
                ? pass()
                : block(
                        workload.kind() + " " + workload.name() + " has " + replicas
                                + " replicas: each has checksums of its own, and this release of the operator converts one server only",
                        "Scale it to 1 for the conversion and have the standbys made anew afterwards, or wait for a release that converts replicas");
    }
}

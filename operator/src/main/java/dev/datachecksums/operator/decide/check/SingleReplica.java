package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.observe.Observation;

/** Whether there is one pod, or several whose names and volumes are known: of others nobody can tell which has the data. */
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
        return replicas == 1 || workload.several()
                ? pass()
                : block(
                        workload.kind() + " " + workload.name() + " has " + replicas
                                + " replicas, which is not known to be a primary and its standbys with volumes of their own",
                        "Scale it to 1 for the conversion, or run the servers in a StatefulSet");
    }
}

package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.observe.Observation;

/** Whether the pod is up and settled: what is starting or going is not stopped once more. */
final class PodReady implements WorkloadCheck {

    @Override
    public String name() {
        return "PodReady";
    }

    @Override
    public Finding examine(Observation o, WorkloadFacts workload) {
        if (workload.pod().isEmpty()) {
            return workload.replicas() == 0
                    ? pass()
                    : waitFor(
                            workload.kind() + " " + workload.name() + " has no pod yet",
                            "If none comes, see the events of " + workload.kind() + " " + workload.name());
        }
        PodFacts pod = workload.pod().get();
        if (pod.deleting().isPresent()) {
            return waitFor("Pod " + pod.name() + " is being deleted", "The next one is waited for");
        }
        return pod.ready()
                ? pass()
                : waitFor(
                        "Pod " + pod.name() + " is not ready",
                        "If it stays so, see kubectl describe pod " + pod.name());
    }
}

package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.util.Optional;
import java.util.Set;

/** Whether something answers at the host and port. */
final class Reachable implements MissingServerCheck {

    @Override
    public String name() {
        return "Reachable";
    }

    @Override
    public Set<String> reasons() {
        return Set.of("Unreachable", "NoAddress", "TimedOut", "StartingUp", "ShuttingDown", "TooManyConnections");
    }

    @Override
    public Finding missing(Observation o, Fact.Missing<ServerFacts> m) {
        if (m.reason().equals("StartingUp") || m.reason().equals("ShuttingDown")) {
            return waitFor(m.message(), m.remedy());
        }
        Optional<WorkloadFacts> workload = o.workload().seen();
        if (workload.isEmpty() || m.reason().equals("TooManyConnections")) {
            return block(m.message(), m.remedy());
        }
        return unreachable(workload.get(), m);
    }

    private Finding unreachable(WorkloadFacts workload, Fact.Missing<ServerFacts> m) {
        String called = workload.kind() + " " + workload.name();
        Optional<PodFacts> pod = workload.pod();
        if (pod.isEmpty() && workload.replicas() == 0) {
            return block(called + " is scaled to 0: no server runs", "Scale it to 1");
        }
        if (pod.isEmpty()) {
            return waitFor(called + " has no pod yet", "If none comes, see the events of " + called);
        }
        if (pod.get().crashing()) {
            return block(
                    "The container of pod " + pod.get().name() + " does not stay up: " + m.message(),
                    "See kubectl logs --previous " + pod.get().name());
        }
        return pod.get().ready()
                ? block(m.message(), m.remedy())
                : waitFor(
                        "Pod " + pod.get().name() + " is starting",
                        "If it does not get ready, see kubectl describe pod "
                                + pod.get().name());
    }
}

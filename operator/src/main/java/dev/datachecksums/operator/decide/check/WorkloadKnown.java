package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;

/** Whether what runs the server is there and of a kind that can be stopped and started. */
final class WorkloadKnown implements Check {

    @Override
    public String name() {
        return "WorkloadKnown";
    }

    @Override
    public Finding examine(Observation o) {
        if (!(o.workload() instanceof Fact.Missing<WorkloadFacts> m)
                || m.reason().equals(Observation.EXTERNAL)) {
            return pass();
        }
        return m.reason().equals("ApiUnavailable") ? waitFor(m.message(), m.remedy()) : block(m.message(), m.remedy());
    }
}

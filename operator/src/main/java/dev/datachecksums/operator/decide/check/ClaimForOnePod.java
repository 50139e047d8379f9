package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.observe.Observation;

/** Whether a Job's pod may have the volume beside the database's: it has to be there, and armed, before the server stops. */
final class ClaimForOnePod implements WorkloadCheck {

    @Override
    public String name() {
        return "ClaimForOnePod";
    }

    @Override
    public Finding examine(Observation o, WorkloadFacts workload) {
        return workload.onePodClaims().isEmpty()
                ? pass()
                : block(
                        "Claim " + String.join(", ", workload.onePodClaims())
                                + " has the access mode ReadWriteOncePod: no Job can look at the data while the server runs, so nothing could be checked before the outage",
                        "Move the data to a claim with ReadWriteOnce, where nothing else starts on the same volume either while the operator converts");
    }
}

package dev.datachecksums.operator.decide.check;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobProblem;

/**
 * Whether the copy can take the place of the data directory. The Job finds out on the volume, before it copies anything; what it
 * refused for this generation of the spec is not tried again.
 */
final class ExchangePossible implements Check {

    @Override
    public String name() {
        return "ExchangePossible";
    }

    @Override
    public Finding examine(Observation o) {
        AttemptsStatus a = o.status().attempts();
        Long generation = a == null ? null : a.generation();
        if (a == null || generation == null || generation != o.resource().generation()) {
            return pass();
        }
        return JobProblem.ofTheCopy(a.lastReason())
                ? block(
                        "The Job refused the volume or the server for a copy: " + a.lastError(),
                        "Mend that and change the spec to have it tried again, or set policy.offline.strategy to"
                                + " InPlace")
                : pass();
    }
}

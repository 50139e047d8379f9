package dev.datachecksums.operator.decide.check;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.Plan;
import dev.datachecksums.operator.decide.Planner;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;

/** Whether the estimated outage is acceptable. */
final class OutageFits implements ServerCheck {

    private final Planner planner;

    OutageFits(Planner planner) {
        this.planner = planner;
    }

    @Override
    public String name() {
        return "OutageFits";
    }

    @Override
    public Finding examine(Observation o, ServerFacts server) {
        if (o.spec().state() == DesiredState.ENABLED
                && server.totalBytes().whyAbsent().isPresent()) {
            return unanswered(
                    server,
                    "The size of the data, and with it the outage,",
                    server.totalBytes().whyAbsent().get());
        }
        Plan plan = planner.offline(o, server);
        String allowed = o.spec().policy().offline().maxOutage();
        return plan.outage().compareTo(Durations.parse(allowed)) <= 0
                ? pass()
                : block(
                        "The estimated outage is " + Durations.format(plan.outage()) + " for " + (plan.bytes() >> 20)
                                + " MiB of data, policy.offline.maxOutage is " + allowed,
                        "Raise policy.offline.maxOutage (at it, a try is given up and service restored)");
    }
}

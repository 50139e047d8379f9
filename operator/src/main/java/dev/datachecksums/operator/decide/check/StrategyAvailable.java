package dev.datachecksums.operator.decide.check;

import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;

/** Whether this release knows the strategy that is asked for. */
final class StrategyAvailable implements Check {

    @Override
    public String name() {
        return "StrategyAvailable";
    }

    @Override
    public Finding examine(Observation o) {
        OfflineStrategy strategy = o.spec().policy().offline().strategy();
        return strategy != OfflineStrategy.ROLLING
                ? pass()
                : block(
                        "policy.offline.strategy is Rolling, which this release of the operator does not know yet",
                        "Set policy.offline.strategy to Auto, InPlace or TemporaryStandby");
    }
}

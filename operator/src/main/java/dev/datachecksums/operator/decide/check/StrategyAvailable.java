package dev.datachecksums.operator.decide.check;

import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.Nodes;
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
        if (Nodes.several(o)
                && (strategy == OfflineStrategy.IN_PLACE || strategy == OfflineStrategy.TEMPORARY_STANDBY)) {
            return block(
                    "policy.offline.strategy is "
                            + (strategy == OfflineStrategy.IN_PLACE ? "InPlace" : "TemporaryStandby")
                            + ", and there are " + Nodes.of(o).size()
                            + " nodes: this release of the operator converts several one after another",
                    "Set policy.offline.strategy to Auto or Rolling");
        }
        return strategy != OfflineStrategy.ROLLING || Nodes.several(o)
                ? pass()
                : block(
                        "policy.offline.strategy is Rolling, and there is one node",
                        "Set policy.offline.strategy to Auto, InPlace or TemporaryStandby");
    }
}

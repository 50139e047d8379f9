package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.standby.StandbyFacts;

/** Whether the WAL holds what a standby needs. */
final class WalLevel implements StandbyCheck {

    @Override
    public String name() {
        return "WalLevel";
    }

    @Override
    public Finding examine(Observation o, StandbyFacts facts) {
        return "minimal".equals(facts.walLevel())
                ? block(
                        "wal_level is minimal: the WAL does not hold what a copy needs to follow the server",
                        "Set wal_level to replica and restart the server, or set policy.offline.strategy to InPlace")
                : pass();
    }
}

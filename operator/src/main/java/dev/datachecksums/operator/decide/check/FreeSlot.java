package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.standby.StandbyFacts;

/** Whether there is a replication slot to keep the WAL for the copy. It needs no WAL sender: it reads the segments from the volume. */
final class FreeSlot implements StandbyCheck {

    @Override
    public String name() {
        return "FreeSlot";
    }

    @Override
    public Finding examine(Observation o, StandbyFacts facts) {
        return facts.freeSlots() < 1
                ? block(
                        "No replication slot is free to keep the WAL for the copy",
                        "Drop a slot that nobody uses (pg_replication_slots), or raise max_replication_slots and"
                                + " restart, or set policy.offline.strategy to InPlace")
                : pass();
    }
}

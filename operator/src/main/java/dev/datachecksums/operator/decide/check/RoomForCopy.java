package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.CopyRoom;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.standby.StandbyFacts;

/** Whether the volume of the data directory has room for a second one, and something over. */
final class RoomForCopy implements StandbyCheck {

    @Override
    public String name() {
        return "RoomForCopy";
    }

    @Override
    public Finding examine(Observation o, StandbyFacts facts) {
        if (facts.dataSpace().whyAbsent().isPresent()) {
            return open("How much space the volume has", facts.dataSpace());
        }
        CopyRoom room = CopyRoom.of(o).orElseThrow();
        return room.enough()
                ? pass()
                : block(
                        "There is no room for a copy: " + room.words(),
                        "Enlarge the volume, or set policy.offline.strategy to InPlace");
    }
}

package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.CopyRoom;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.online.DiskSpace;
import dev.datachecksums.operator.postgres.standby.StandbyFacts;

/** Whether the WAL that the slot keeps for the copy has room, and is not dropped by the server's own bound. */
final class WalFloor implements StandbyCheck {

    @Override
    public String name() {
        return "WalFloor";
    }

    @Override
    public Finding examine(Observation o, StandbyFacts facts) {
        if (facts.walSpace().whyAbsent().isPresent()) {
            return open("How much space the volume of pg_wal has", facts.walSpace());
        }
        long keep = facts.maxSlotWalKeepBytes();
        if (keep >= 0 && keep < facts.maxWalBytes()) {
            return block(
                    "max_slot_wal_keep_size is " + CopyRoom.words(keep) + ", less than max_wal_size ("
                            + CopyRoom.words(facts.maxWalBytes())
                            + "): the server would drop the WAL that the copy still needs",
                    "Raise max_slot_wal_keep_size (ALTER SYSTEM, then pg_reload_conf()), or set"
                            + " policy.offline.strategy to InPlace");
        }
        DiskSpace space = facts.walSpace().value().orElseThrow();
        long floor = CopyRoom.floor(o, space);
        long needed = Math.addExact(floor, facts.maxWalBytes());
        return space.freeBytes() >= needed
                ? pass()
                : block(
                        "The volume of pg_wal has " + CopyRoom.words(space.freeBytes())
                                + " free; the WAL kept for the copy may take "
                                + CopyRoom.words(facts.maxWalBytes()) + " (max_wal_size), and " + CopyRoom.words(floor)
                                + " are left alone",
                        "Enlarge the volume, lower max_wal_size or policy.offline.minFreeSpace, or set"
                                + " policy.offline.strategy to InPlace");
    }
}

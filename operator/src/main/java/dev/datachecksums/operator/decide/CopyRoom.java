package dev.datachecksums.operator.decide;

import dev.datachecksums.operator.decide.online.WalRoom;
import dev.datachecksums.operator.decide.online.Words;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.online.DiskSpace;
import dev.datachecksums.operator.postgres.standby.StandbyFacts;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Optional;

/**
 * Room on the volume of the data directory for a second one.
 *
 * @param copy bytes of the copy
 * @param wal bytes of WAL that may gather while it is made
 * @param floor bytes that are left alone: below it the copy is dropped before the server notices
 * @param free bytes that the volume has
 */
public record CopyRoom(long copy, long wal, long floor, long free) {

    private static final long SEGMENT = 16L << 20;

    /** As far as the server has said; empty where it has not. */
    public static Optional<CopyRoom> of(Observation o) {
        Optional<StandbyFacts> facts = o.standby().seen();
        Optional<DiskSpace> space = facts.flatMap(f -> f.dataSpace().value());
        long data = o.server()
                .seen()
                .map(ServerFacts::totalBytes)
                .flatMap(a -> a.value())
                .orElse(0L);
        return space.map(s -> new CopyRoom(data, facts.get().maxWalBytes(), floor(o, s), s.freeBytes()));
    }

    /** policy.offline.minFreeSpace, or 5 % of the volume, 10 GiB at most. */
    public static long floor(Observation o, DiskSpace space) {
        String asked = o.spec().policy().offline().minFreeSpace();
        return asked == null
                ? WalRoom.floor(space, SEGMENT)
                : Quantity.getAmountInBytes(new Quantity(asked)).longValue();
    }

    /** Bytes for a reader. */
    public static String words(long bytes) {
        return Words.bytes(bytes);
    }

    /** Needed in all. */
    public long needed() {
        return copy + wal + floor;
    }

    /** Whether there is that much. */
    public boolean enough() {
        return free >= needed();
    }

    /** What is needed and what is there, for a reader. */
    public String words() {
        return "it needs " + words(needed()) + " (" + words(copy) + " of data, " + words(wal) + " for WAL, "
                + words(floor) + " left alone), the volume has " + words(free) + " free";
    }
}

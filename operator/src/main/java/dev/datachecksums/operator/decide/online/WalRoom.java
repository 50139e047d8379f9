package dev.datachecksums.operator.decide.online;

import dev.datachecksums.operator.postgres.online.DiskSpace;
import dev.datachecksums.operator.postgres.online.OnlineFacts;
import dev.datachecksums.operator.postgres.online.Replica;
import dev.datachecksums.operator.postgres.online.WalFacts;
import java.util.Optional;

/**
 * Room for the WAL that a run writes: about one data size, most of which checkpoints remove again, unless something keeps it. A server
 * whose WAL has no room left stops.
 */
public final class WalRoom {
    private static final long MOST = 10L << 30;
    private static final int SEGMENTS = 4;

    private WalRoom() {}

    /** Below this much free space a run is given up: 5 % of the volume, 10 GiB at most, four segments at least. */
    public static long floor(DiskSpace space, long segmentBytes) {
        return Math.max(SEGMENTS * segmentBytes, Math.min(MOST, space.totalBytes() / 20));
    }

    /** Why a run has to be given up at once, if so. */
    public static Optional<String> belowFloor(DiskSpace space, WalFacts wal) {
        long floor = floor(space, wal.segmentBytes());
        return space.freeBytes() >= floor
                ? Optional.empty()
                : Optional.of("the volume of pg_wal has " + Words.bytes(space.freeBytes()) + " left, less than "
                        + Words.bytes(floor) + kept(wal));
    }

    /** Why a run should not begin, if so. */
    public static Optional<String> tooLittle(OnlineFacts f, DiskSpace space) {
        WalFacts wal = f.wal();
        long data = f.totalBytes();
        boolean keeps = keeps(f);
        long needed = keeps ? data : Math.min(data, wal.maxWalBytes());
        long floor = floor(space, wal.segmentBytes());
        return space.freeBytes() >= needed + floor
                ? Optional.empty()
                : Optional.of("the run writes about " + Words.bytes(data) + " of WAL, of which " + Words.bytes(needed)
                        + " may stay on the volume of pg_wal at a time, and that has only "
                        + Words.bytes(space.freeBytes())
                        + " free (" + Words.bytes(floor) + " are left alone)" + kept(wal));
    }

    /** Whether something keeps WAL beyond checkpoints: a slot or a standby that is behind, or an archiver that fails. */
    private static boolean keeps(OnlineFacts f) {
        WalFacts wal = f.wal();
        long behind = f.replicas().stream()
                .map(Replica::lagBytes)
                .filter(l -> l != null)
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
        return wal.archiverFails() || Math.max(wal.keptBytes(), behind) > wal.maxWalBytes();
    }

    private static String kept(WalFacts wal) {
        StringBuilder b = new StringBuilder();
        if (wal.archiverFails()) {
            b.append("; the archiver fails, so that no segment is removed");
        }
        if (wal.keptBytes() > wal.maxWalBytes()) {
            b.append("; a replication slot keeps ").append(Words.bytes(wal.keptBytes()));
        }
        return b.toString();
    }
}

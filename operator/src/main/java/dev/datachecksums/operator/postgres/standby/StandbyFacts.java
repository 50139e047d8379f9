package dev.datachecksums.operator.postgres.standby;

import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.online.DiskSpace;
import java.time.Instant;
import java.util.List;

/**
 * Whether a copy of a server can be brought up as a standby beside it and take its place: what does not go through the WAL would be
 * lost with the old directory.
 *
 * @param observedAt by our own clock
 * @param dataSpace of the volume of the data directory
 * @param walSpace of the volume of pg_wal: the same one, unless pg_wal is a link to another
 * @param unlogged unlogged tables, indexes and sequences, by their init forks: a standby empties them. A text a database
 * @param accessMethods access methods in use that are not the server's own, such as {@code pgroonga in database shop}: they may write no WAL
 * @param resourceManagers custom WAL resource managers: recovery needs their libraries. From 15 on
 * @param closedDatabases databases that take no connection, into which nobody can look
 * @param walLevel {@code wal_level}
 * @param freeSlots replication slots that may still be made; our own counts as free
 * @param maxSlotWalKeepBytes {@code max_slot_wal_keep_size}: beyond it the server drops what the copy still needs; -1 for no bound
 * @param maxWalBytes {@code max_wal_size}
 */
public record StandbyFacts(
        Instant observedAt,
        Answer<DiskSpace> dataSpace,
        Answer<DiskSpace> walSpace,
        Answer<List<String>> unlogged,
        Answer<List<String>> accessMethods,
        Answer<List<String>> resourceManagers,
        List<String> closedDatabases,
        String walLevel,
        int freeSlots,
        long maxSlotWalKeepBytes,
        long maxWalBytes) {

    /** Copies the lists. */
    public StandbyFacts {
        closedDatabases = List.copyOf(closedDatabases);
    }
}

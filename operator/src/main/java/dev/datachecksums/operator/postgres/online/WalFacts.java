package dev.datachecksums.operator.postgres.online;

/**
 * Where the WAL goes.
 *
 * @param segmentBytes {@code wal_segment_size}
 * @param maxWalBytes {@code max_wal_size}, or {@code wal_keep_size} if that is more: what checkpoints keep it under, where nothing else keeps it
 * @param keptBytes the most that a replication slot keeps
 * @param insertedBytes WAL written since the server's cluster was made: differences count
 * @param archiving whether each segment waits to be archived
 * @param archiverFails whether the last thing that the archiver did was to fail
 */
public record WalFacts(
        long segmentBytes,
        long maxWalBytes,
        long keptBytes,
        long insertedBytes,
        boolean archiving,
        boolean archiverFails) {}

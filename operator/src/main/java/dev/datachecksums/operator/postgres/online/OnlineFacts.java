package dev.datachecksums.operator.postgres.online;

import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.ChecksumState;
import java.time.Instant;
import java.util.List;

/**
 * What one server says about its switch of checksums, at one moment.
 *
 * @param observedAt by our own clock
 * @param checksums {@code data_checksums}: the only word that counts for the outcome
 * @param serverStarted {@code pg_postmaster_start_time()}: another value means that a run has ended, and nothing resumes it
 * @param timeline of the WAL that is being written: another value means a promotion; 0 on a standby
 * @param progress the processes and their counters
 * @param databases in the order in which a launcher that starts now would go through them, which changes when one of them is altered
 * @param sharedBytes size of the shared catalogs, which the worker of the first database goes through too
 * @param workerBlocks blocks that workers went through since the statistics were reset, from pg_stat_io: moves when a worker ends, a
 *     database at a time
 * @param oldTransactions that have a transaction id, oldest first
 * @param lockHolders sessions that hold what the launcher or worker waits for
 * @param replicas standbys and other receivers of the WAL
 * @param slots background worker slots
 * @param wal where the WAL goes and how much of it is kept
 * @param costs points that a page costs
 */
public record OnlineFacts(
        Instant observedAt,
        ChecksumState checksums,
        Instant serverStarted,
        int timeline,
        OnlineProgress progress,
        List<DatabaseSize> databases,
        long sharedBytes,
        Answer<Long> workerBlocks,
        List<OldTransaction> oldTransactions,
        List<SessionFacts> lockHolders,
        List<Replica> replicas,
        WorkerSlots slots,
        WalFacts wal,
        Costs costs) {

    /** Bytes of a page; PostgreSQL can be built with others, hardly anybody does. */
    public static final int BLOCK = 8192;

    /** Copies the lists. */
    public OnlineFacts {
        databases = List.copyOf(databases);
        oldTransactions = List.copyOf(oldTransactions);
        lockHolders = List.copyOf(lockHolders);
        replicas = List.copyOf(replicas);
    }

    /** One database and its size in bytes; invalid after an interrupted DROP DATABASE. */
    public record DatabaseSize(long oid, String name, long bytes, boolean allowsConnections, boolean invalid) {}

    /**
     * Points that a page costs by {@code vacuum_cost_page_hit}, {@code _miss} and {@code _dirty}.
     */
    public record Costs(int hit, int miss, int dirty) {
        /** The server's defaults. */
        public static final Costs DEFAULT = new Costs(1, 2, 20);
    }

    /** {@code max_worker_processes}, and how many of them are seen at work. */
    public record WorkerSlots(int max, int used) {
        public int free() {
            return Math.max(0, max - used);
        }
    }

    /** Bytes of all databases and the shared catalogs. */
    public long totalBytes() {
        return sharedBytes + databases.stream().mapToLong(DatabaseSize::bytes).sum();
    }
}

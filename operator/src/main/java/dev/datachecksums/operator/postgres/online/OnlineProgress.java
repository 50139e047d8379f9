package dev.datachecksums.operator.postgres.online;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server's processes that switch checksums, from {@code pg_stat_activity} with {@code pg_stat_progress_data_checksums} beside it. A
 * counter that is null is not known yet, or not this process's. Counters of blocks begin anew with each fork of each relation.
 *
 * @param launcher runs the whole; empty where nothing is under way
 * @param worker goes through one database; empty between two
 */
public record OnlineProgress(Optional<Launcher> launcher, Optional<Worker> worker) {
    /** Nothing is under way. */
    public static final OnlineProgress NONE = new OnlineProgress(Optional.empty(), Optional.empty());

    /** What a process says that it does. */
    public enum Step {
        ENABLING,
        DISABLING,
        WAITING_ON_TEMPORARY_TABLES,
        WAITING_ON_BARRIER,
        DONE,
        /** It has not said anything yet, or a word that this operator does not know. */
        UNKNOWN;

        static Step of(@Nullable String phase) {
            return phase == null
                    ? UNKNOWN
                    : switch (phase) {
                        case "enabling" -> ENABLING;
                        case "disabling" -> DISABLING;
                        case "waiting on temporary tables" -> WAITING_ON_TEMPORARY_TABLES;
                        case "waiting on barrier" -> WAITING_ON_BARRIER;
                        case "done" -> DONE;
                        default -> UNKNOWN;
                    };
        }
    }

    /**
     * One of the processes.
     *
     * @param waits its wait event with the type before it, such as {@code IPC:ChecksumEnableStartcondition}; null while it works
     * @param activity what it says in words, if it is at something
     */
    public record Task(
            int pid,
            Instant started,
            Step step,
            @Nullable String waits,
            @Nullable String activity) {
        /** Whether it waits for this event, whatever its type. */
        public boolean waitsFor(String event) {
            return waits != null && waits.substring(waits.indexOf(':') + 1).equals(event);
        }

        /** Whether it waits for an event of this type. */
        public boolean waitsForType(String type) {
            return waits != null && waits.startsWith(type + ":");
        }
    }

    /** The launcher, and how many databases it is through, which is known only while enabling. */
    public record Launcher(
            Task process,
            @Nullable Long databasesTotal,
            @Nullable Long databasesDone) {}

    /** The worker, and how far it is in its database and in the fork of its relation. */
    public record Worker(
            Task process,
            long databaseOid,
            @Nullable String database,
            @Nullable Long relationsTotal,
            @Nullable Long relationsDone,
            @Nullable Long blocksTotal,
            @Nullable Long blocksDone) {
        /** What it is at, by its own words; empty between two relations. */
        public Optional<CurrentRelation> relation() {
            return CurrentRelation.of(process.activity());
        }
    }
}

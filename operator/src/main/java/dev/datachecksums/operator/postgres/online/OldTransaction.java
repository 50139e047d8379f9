package dev.datachecksums.operator.postgres.online;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A transaction with a transaction id: a run begins only once those that were there before it have ended. */
public sealed interface OldTransaction {

    /** Its id, without the epoch. */
    long xid();

    /** When it began. */
    Instant since();

    /** Of a session. */
    record OfSession(long xid, Instant since, SessionFacts session) implements OldTransaction {}

    /** Prepared for a commit in two phases; no session belongs to it. */
    record Prepared(
            long xid,
            Instant since,
            String gid,
            String owner,
            @Nullable String database) implements OldTransaction {}

    /** Whether it has to end before a run goes on that waits for those before {@code xid}: ids wrap around. */
    default boolean before(long waitsForXid) {
        return (int) (xid() - waitsForXid) < 0;
    }
}

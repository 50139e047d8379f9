package dev.datachecksums.operator.postgres.online;

import java.time.Instant;

/** A scripted session of a client, with what it holds. */
public final class FakeSession {
    /** What it holds. */
    public enum Holds {
        XID,
        SNAPSHOT,
        TEMPORARY_TABLE,
        LOCK,
        BARRIER,
        /** A transaction whose commit no synchronous standby confirms: it takes no note of a barrier either. */
        UNCONFIRMED
    }

    final SessionId id;
    final String database;
    final Holds holds;
    final long xid;
    final String table;

    FakeSession(SessionId id, String database, Holds holds, long xid, String table) {
        this.id = id;
        this.database = database;
        this.holds = holds;
        this.xid = xid;
        this.table = table;
    }

    SessionFacts facts(Instant now) {
        boolean open = holds != Holds.TEMPORARY_TABLE && holds != Holds.BARRIER;
        return new SessionFacts(
                id,
                "postgres",
                "scripted",
                database,
                open ? "idle in transaction" : "idle",
                open ? id.started() : null,
                now,
                null,
                holds == Holds.UNCONFIRMED ? "IPC:SyncRep" : "Client:ClientRead");
    }
}

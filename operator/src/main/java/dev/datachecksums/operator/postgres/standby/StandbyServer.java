package dev.datachecksums.operator.postgres.standby;

import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.ServerTarget;

/** What is asked of and told to a server because of a copy of it. Every call is bounded by the target's timeouts. */
public interface StandbyServer {

    /** Looks into every database. */
    StandbyFacts read(ServerTarget target) throws ServerException;

    /** Drops {@link ServerFacts#STANDBY_SLOT}, so that no WAL is kept for a copy that is no more. No effect if there is none. */
    void dropSlot(ServerTarget target) throws ServerException;
}

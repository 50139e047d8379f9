package dev.datachecksums.operator.postgres;

/** Asks and tells PostgreSQL servers. Every call is bounded by the target's timeouts. */
public interface PostgresServer {
    /**
     * One short connection and a handful of queries.
     *
     * @throws ServerException if no connection is made, or if what every role may ask is not answered
     */
    ServerFacts observe(ServerTarget target) throws ServerException;

    /**
     * Opens a session that the caller keeps, to stop the server by.
     *
     * @throws ServerException also if the role is no superuser (PERMISSION_DENIED) or a pooler answers (BEHIND_POOLER)
     */
    HeldSession hold(ServerTarget target) throws ServerException;
}

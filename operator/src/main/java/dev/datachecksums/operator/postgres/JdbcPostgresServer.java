package dev.datachecksums.operator.postgres;

import java.time.Clock;

/** Over JDBC, a new connection each time. */
public final class JdbcPostgresServer implements PostgresServer {
    private final Clock clock;

    /** @param clock for {@link ServerFacts#observedAt} */
    public JdbcPostgresServer(Clock clock) {
        this.clock = clock;
    }

    @Override
    public ServerFacts observe(ServerTarget target) throws ServerException {
        try (Session session = Session.open(target)) {
            return new FactsReader(session, clock).read();
        }
    }

    @Override
    public HeldSession hold(ServerTarget target) throws ServerException {
        Session session = Session.open(target);
        try {
            return JdbcHeldSession.over(session);
        } catch (ServerException | RuntimeException e) {
            session.close();
            throw e;
        }
    }
}

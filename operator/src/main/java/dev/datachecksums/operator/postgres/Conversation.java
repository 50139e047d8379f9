package dev.datachecksums.operator.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * One short, bounded conversation with a server: a connection, a few statements, and its end. Statements are made of constants and
 * numbers only. Never through a pooler: its next client would inherit our settings, and what we ask for is the server's own.
 */
public final class Conversation {
    private final Session session;

    private Conversation(Session session) {
        this.session = session;
    }

    /** What is said. */
    public interface Talk<T> {
        T with(Conversation conversation) throws SQLException;
    }

    /** Reads one row. */
    public interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** A question to the server that may be refused. */
    public interface Question<T> {
        T ask() throws SQLException;
    }

    /**
     * Opens a connection, talks, closes it.
     *
     * @throws ServerException typed by SQLSTATE; BEHIND_POOLER if something stands in between
     */
    public static <T> T with(ServerTarget target, Talk<T> talk) throws ServerException {
        try (Session session = Session.open(target)) {
            PoolerDetector.refuse(session);
            session.prepare();
            return talk.with(new Conversation(session));
        } catch (SQLException e) {
            throw Problems.asking(target, e);
        }
    }

    /** Every row. */
    public <T> List<T> all(String sql, Row<T> row) throws SQLException {
        return session.all(sql, row::read);
    }

    /** The only row of a query that always has one. */
    public <T> T one(String sql, Row<T> row) throws SQLException {
        return session.one(sql, row::read);
    }

    /** A statement without rows that matter. */
    public void execute(String sql) throws SQLException {
        session.execute(sql);
    }

    /** A question whose refusal costs its answer only. */
    public <T> Answer<T> ask(Question<T> question) throws SQLException {
        return new Asking(session, true).ask(question::ask);
    }
}

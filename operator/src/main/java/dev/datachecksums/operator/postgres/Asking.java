package dev.datachecksums.operator.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Questions that may be refused one by one. What is known to need a superuser is not asked without one: each refusal would be a line in
 * the server's log, at every observation.
 */
final class Asking {
    static final String NEEDS_SUPERUSER = "only a superuser may ask for it";

    /** A question to the server. */
    interface Question<T> {
        T ask() throws SQLException, Unanswered;
    }

    /** The server answered, and the answer is that there is nothing to know. */
    static final class Unanswered extends Exception {
        private static final long serialVersionUID = 1L;

        Unanswered(String reason) {
            super(reason);
        }
    }

    private final Session session;
    private final boolean superuser;

    Asking(Session session, boolean superuser) {
        this.session = session;
        this.superuser = superuser;
    }

    Session session() {
        return session;
    }

    /** @throws SQLException only if the session has ended */
    <T> Answer<T> ask(Question<T> question) throws SQLException {
        try {
            return Answer.given(question.ask());
        } catch (Unanswered e) {
            return Answer.absent(Objects.requireNonNullElse(e.getMessage(), "unknown"));
        } catch (SQLException e) {
            if (Problems.endsSession(e)) {
                throw e;
            }
            return Answer.absent(Objects.requireNonNullElse(
                    Problems.asking(session.target(), e).getMessage(), "unknown"));
        }
    }

    <T> Answer<T> askAsSuperuser(Question<T> question) throws SQLException {
        return superuser ? ask(question) : Answer.absent(NEEDS_SUPERUSER);
    }

    static <T> Answer<T> answered(@Nullable T value, String otherwise) {
        return value == null ? Answer.absent(otherwise) : Answer.given(value);
    }

    static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        @Nullable Timestamp stamp = row.getTimestamp(column);
        return stamp == null ? null : stamp.toInstant();
    }
}

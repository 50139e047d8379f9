package dev.datachecksums.operator.postgres.online;

import dev.datachecksums.operator.postgres.ServerException;
import java.util.Optional;

/** Why a server refuses its functions, by SQLSTATE. */
public enum Refusal {
    /** There is an invalid database ({@code datconnlimit = -2}): 55000. It has to be dropped. */
    INVALID_DATABASE("55000"),
    /** No background worker slot is free; two are needed: 53000. */
    NO_WORKER_SLOT("53000"),
    /** The throttle is out of range: 22023. */
    BAD_COST("22023"),
    /** The server is a standby: 25006. */
    IN_RECOVERY("25006"),
    /** The role is no superuser; a GRANT EXECUTE is not enough: 42501. */
    NOT_SUPERUSER("42501"),
    /** The server has no such function: 42883. */
    NO_FUNCTION("42883");

    private final String sqlState;

    Refusal(String sqlState) {
        this.sqlState = sqlState;
    }

    /** The refusal that an error is; empty if it is something else, such as a lost connection. */
    public static Optional<Refusal> of(ServerException e) {
        for (Refusal refusal : values()) {
            if (e.sqlState().filter(refusal.sqlState::equals).isPresent()) {
                return Optional.of(refusal);
            }
        }
        return Optional.empty();
    }
}

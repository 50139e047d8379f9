package dev.datachecksums.e2e.faults;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What is done to whom. */
enum Kind {
    OPERATOR_KILLED,
    OPERATOR_TERMINATED,
    JOB_KILLED,
    JOB_POD_DELETED,
    JOB_POD_FORCE_DELETED,
    JOB_DELETED,
    DATABASE_POD_DELETED,
    DATABASE_POD_FORCE_DELETED,
    POSTMASTER_KILLED,
    /** The operator, the Job's container and pod, the database's pod. */
    ALL_KILLED,
    /** For some seconds no pod is begun or ended; where the testbed's node can be stopped. */
    NODE_AGENT_STOPPED,
    API_CONFLICT(Seam.API),
    API_TOO_MANY_REQUESTS(Seam.API),
    API_INTERNAL_ERROR(Seam.API),
    /** Longer than the operator waits; before it is done, or after. */
    API_HANGS(Seam.API),
    /** The connection breaks, before it is done or after. */
    API_RESET(Seam.API),
    /** Every request fails for some seconds, reads as well. */
    API_ERRORS,
    /** Nobody listens for some seconds. */
    API_STOPPED,
    WATCHES_DROPPED,
    SQL_RESET(Seam.SQL),
    /** Longer than the operator waits. */
    SQL_HANGS(Seam.SQL),
    /** Every connection of the operator breaks. */
    SQL_ALL_RESET,
    /** No connection of the operator gets a word for some seconds. */
    SQL_STALLED,
    /** Each answer of the database comes late, to the end. */
    SQL_SLOW,
    CLOCK_FORWARD,
    CLOCK_BACK;

    /** Null for everywhere. */
    private final @Nullable Seam only;

    Kind() {
        this(null);
    }

    Kind(@Nullable Seam only) {
        this.only = only;
    }

    /** A refusal comes instead of what was asked for, so there is none afterwards. */
    boolean strikes(Point point, Side side) {
        boolean refuses = this == API_CONFLICT || this == API_TOO_MANY_REQUESTS || this == API_INTERNAL_ERROR;
        return (only == null || only == point.seam()) && !(refuses && side == Side.AFTER);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}

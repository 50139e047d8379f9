package dev.datachecksums.e2e.faults;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What is done to whom. */
enum Kind {
    OPERATOR_KILLED(EnumSet.allOf(Seam.class)),
    OPERATOR_TERMINATED(EnumSet.allOf(Seam.class)),
    JOB_KILLED(EnumSet.allOf(Seam.class)),
    JOB_POD_DELETED(EnumSet.allOf(Seam.class)),
    JOB_POD_FORCE_DELETED(EnumSet.allOf(Seam.class)),
    JOB_DELETED(EnumSet.allOf(Seam.class)),
    DATABASE_POD_DELETED(EnumSet.allOf(Seam.class)),
    DATABASE_POD_FORCE_DELETED(EnumSet.allOf(Seam.class)),
    POSTMASTER_KILLED(EnumSet.allOf(Seam.class)),
    API_CONFLICT(EnumSet.of(Seam.API)),
    API_TOO_MANY_REQUESTS(EnumSet.of(Seam.API)),
    API_INTERNAL_ERROR(EnumSet.of(Seam.API)),
    /** Longer than the operator waits; before it is done, or after. */
    API_HANGS(EnumSet.of(Seam.API)),
    /** The connection breaks, before it is done or after. */
    API_RESET(EnumSet.of(Seam.API)),
    /** Every request fails for some seconds, reads as well. */
    API_ERRORS(EnumSet.allOf(Seam.class)),
    /** Nobody listens for some seconds. */
    API_STOPPED(EnumSet.allOf(Seam.class)),
    WATCHES_DROPPED(EnumSet.allOf(Seam.class)),
    SQL_RESET(EnumSet.of(Seam.SQL)),
    /** Longer than the operator waits. */
    SQL_HANGS(EnumSet.of(Seam.SQL)),
    /** Every connection of the operator breaks. */
    SQL_ALL_RESET(EnumSet.allOf(Seam.class)),
    /** No connection of the operator gets a word for some seconds. */
    SQL_STALLED(EnumSet.allOf(Seam.class)),
    /** Each answer of the database comes late, to the end. */
    SQL_SLOW(EnumSet.allOf(Seam.class)),
    CLOCK_FORWARD(EnumSet.allOf(Seam.class)),
    CLOCK_BACK(EnumSet.allOf(Seam.class));

    private final Set<Seam> seams;

    Kind(Set<Seam> seams) {
        this.seams = seams;
    }

    /** A refusal comes instead of what was asked for, so there is none afterwards. */
    boolean strikes(Point point, Side side) {
        boolean refuses = this == API_CONFLICT || this == API_TOO_MANY_REQUESTS || this == API_INTERNAL_ERROR;
        return seams.contains(point.seam()) && !(refuses && side == Side.AFTER);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}

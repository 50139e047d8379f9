package dev.datachecksums.operator.postgres.online;

import org.jspecify.annotations.Nullable;

/**
 * A receiver of the WAL.
 *
 * @param state such as streaming, catchup or backup
 * @param sync async, sync, quorum or potential
 * @param lagBytes WAL that it has not replayed (or, if it replays none, written) yet; null where it has not said anything
 */
public record Replica(
        String application,
        @Nullable String address,
        String state,
        String sync,
        @Nullable Long lagBytes) {
    /** Whether it is a base backup that is being taken. */
    public boolean backup() {
        return state.equals("backup");
    }
}

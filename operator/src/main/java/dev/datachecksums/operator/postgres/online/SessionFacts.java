package dev.datachecksums.operator.postgres.online;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A session that somebody waits for.
 *
 * @param user null for a process of the server's own
 * @param application its application_name, possibly empty
 * @param state such as {@code idle in transaction}
 * @param transactionStarted when its transaction began, if one is open
 * @param queryStarted when its last statement began
 * @param query its last statement; null unless texts are allowed to be shown
 * @param waits its wait event with the type before it
 */
public record SessionFacts(
        SessionId id,
        @Nullable String user,
        String application,
        @Nullable String database,
        @Nullable String state,
        @Nullable Instant transactionStarted,
        @Nullable Instant queryStarted,
        @Nullable String query,
        @Nullable String waits) {}

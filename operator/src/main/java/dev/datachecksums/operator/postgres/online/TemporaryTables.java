package dev.datachecksums.operator.postgres.online;

import java.util.Optional;

/**
 * The temporary tables of one session in one database.
 *
 * @param schema such as pg_temp_3
 * @param count of relations with storage, indexes and TOAST tables too
 * @param session empty for what a crash left behind: no session will ever drop it, autovacuum does
 */
public record TemporaryTables(String schema, int count, Optional<SessionFacts> session) {}

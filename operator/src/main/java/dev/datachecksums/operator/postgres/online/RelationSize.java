package dev.datachecksums.operator.postgres.online;

/**
 * A relation with storage.
 *
 * @param name with its schema, unquoted, as a worker names it
 * @param mainBytes of its main fork
 * @param bytes of all its forks
 */
public record RelationSize(long oid, String name, long mainBytes, long bytes) {}

package dev.datachecksums.operator.postgres.online;

/** A volume's size and what of it an unprivileged process may still use, in bytes. */
public record DiskSpace(long totalBytes, long freeBytes) {}

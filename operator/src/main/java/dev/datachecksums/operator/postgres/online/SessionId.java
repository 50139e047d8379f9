package dev.datachecksums.operator.postgres.online;

import java.time.Instant;

/** One session for good: process ids are used again. */
public record SessionId(int pid, Instant started) {}

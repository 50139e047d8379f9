package dev.datachecksums.operator.postgres;

/** Everything that a connection to one server needs. */
public record ServerTarget(ServerAddress address, Credentials credentials, Tls tls, Timeouts timeouts) {}

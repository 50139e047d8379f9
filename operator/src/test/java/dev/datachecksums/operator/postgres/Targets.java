package dev.datachecksums.operator.postgres;

import java.time.Duration;

/** Targets on local servers. */
final class Targets {
    static final Timeouts SHORT = new Timeouts(Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofSeconds(1));
    static final Timeouts AMPLE = new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(30));

    private Targets() {}

    static ServerTarget of(LocalPostgres server) {
        String password = server.password();
        return of(server, new Credentials("postgres", password == null ? "unused" : password));
    }

    static ServerTarget of(LocalPostgres server, Credentials credentials) {
        return new ServerTarget(
                new ServerAddress(server.address(), server.port(), "postgres"),
                credentials,
                Tls.of(Tls.Mode.PREFER),
                AMPLE);
    }

    static ServerTarget at(String host, int port, Tls.Mode mode) {
        return new ServerTarget(
                new ServerAddress(host, port, "postgres"), new Credentials("postgres", "unused"), Tls.of(mode), SHORT);
    }
}

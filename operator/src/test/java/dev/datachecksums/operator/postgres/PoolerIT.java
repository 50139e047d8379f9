package dev.datachecksums.operator.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A pooler answers the login itself, with a key and a version of its own; a proxy in the test does just that. */
class PoolerIT {
    private final PostgresServer postgres = new JdbcPostgresServer(Clock.systemUTC());

    /** Passes a connection on, and lets the login's answer be changed. */
    private abstract static class Proxy implements AutoCloseable {
        private final ServerSocket listening;
        private final LocalPostgres server;

        Proxy(LocalPostgres server) throws IOException {
            this.listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
            this.server = server;
            Thread thread = new Thread(this::serve, "proxy");
            thread.setDaemon(true);
            thread.start();
        }

        abstract byte[] change(char type, byte[] body);

        int port() {
            return listening.getLocalPort();
        }

        private void serve() {
            while (!listening.isClosed()) {
                try (Socket client = listening.accept();
                        Socket backend = new Socket(server.address(), server.port())) {
                    CompletableFuture<Void> forth = CompletableFuture.runAsync(() -> copy(client, backend));
                    DataInputStream in = new DataInputStream(backend.getInputStream());
                    DataOutputStream out = new DataOutputStream(client.getOutputStream());
                    char type;
                    do {
                        type = (char) in.readByte();
                        byte[] body = in.readNBytes(in.readInt() - 4);
                        byte[] changed = change(type, body);
                        out.writeByte(type);
                        out.writeInt(changed.length + 4);
                        out.write(changed);
                    } while (type != 'Z');
                    copy(backend, client);
                    forth.join();
                } catch (IOException closed) {
                    // The next client is served, unless we are closed.
                }
            }
        }

        private static void copy(Socket from, Socket to) {
            try {
                from.getInputStream().transferTo(to.getOutputStream());
                to.shutdownOutput();
            } catch (IOException closed) {
                // By either end: this connection is over.
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }

    /** As a pooler has it, which serves its clients by processes of its choice. */
    private static Proxy withAKeyOfItsOwn(LocalPostgres server) throws IOException {
        return new Proxy(server) {
            @Override
            byte[] change(char type, byte[] body) {
                byte[] changed = body.clone();
                if (type == 'K') {
                    changed[3] ^= 1;
                }
                return changed;
            }
        };
    }

    private static ServerTarget through(Proxy proxy) {
        return new ServerTarget(
                new ServerAddress("127.0.0.1", proxy.port(), "postgres"),
                new Credentials("postgres", "unused"),
                Tls.of(Tls.Mode.DISABLE),
                Targets.AMPLE);
    }

    @Test
    void aKeyOfAnotherProcessGivesAPoolerAway() throws Exception {
        try (LocalPostgres server = LocalPostgres.builder().start();
                Proxy proxy = withAKeyOfItsOwn(server)) {
            ServerFacts facts = postgres.observe(through(proxy));
            assertThat(facts.poolerEvidence())
                    .hasValueSatisfying(evidence -> assertThat(evidence).contains("PgBouncer"));
            assertThat(facts.checksums()).isEqualTo(ChecksumState.OFF);
            assertThat(facts.superuser()).isTrue();
            assertThat(facts.databases().whyAbsent())
                    .hasValueSatisfying(why -> assertThat(why).contains("pooler"));
            assertThat(postgres.observe(Targets.of(server)).poolerEvidence()).isEmpty();
            ServerException failure = catchThrowableOfType(ServerException.class, () -> postgres.hold(through(proxy)));
            assertThat(failure.kind()).isEqualTo(ServerProblem.BEHIND_POOLER);
        }
    }

    /** A pooler gives the same server session to its next client, settings and all. */
    @Test
    void leavesNoSettingInASessionOfOthers() throws Exception {
        try (LocalPostgres server =
                        LocalPostgres.builder().set("log_statement", "all").start();
                Proxy proxy = withAKeyOfItsOwn(server)) {
            postgres.observe(through(proxy));
            assertThat(catchThrowableOfType(ServerException.class, () -> postgres.hold(through(proxy))))
                    .isNotNull();
            // The driver's own SET of the application's name apart, which poolers know and set themselves.
            assertThat(server.log().lines().filter(line -> line.contains("SET ") || line.contains("set_config")))
                    .allMatch(line -> line.contains("SET LOCAL")
                            || line.contains("set_config(s.name, v.value, $1)")
                            || line.contains("application_name"));
            assertThat(server.log()).contains("parameters: $1 = 't'").doesNotContain("parameters: $1 = 'f'");
        }
    }

    @Test
    void aVersionOfItsOwnGivesAProxyAway() throws Exception {
        String claimed = "server_version\0" + "10.1 (Proxy)\0";
        try (LocalPostgres server = LocalPostgres.builder().start();
                Proxy proxy = new Proxy(server) {
                    @Override
                    byte[] change(char type, byte[] body) {
                        boolean version = new String(body, StandardCharsets.UTF_8).startsWith("server_version\0");
                        return type == 'S' && version ? claimed.getBytes(StandardCharsets.UTF_8) : body;
                    }
                }) {
            assertThat(postgres.observe(through(proxy)).poolerEvidence())
                    .hasValueSatisfying(evidence -> assertThat(evidence).contains("10.1 (Proxy)"));
        }
    }
}

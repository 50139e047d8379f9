package dev.datachecksums.operator.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.datachecksums.operator.postgres.Tls.Mode;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each mode against a server with TLS, one whose name differs, and one without TLS. */
class TlsIT {
    private static LocalPostgres encrypted;
    private static LocalPostgres misnamed;
    private static LocalPostgres plain;
    private static TestCertificate own;
    private static TestCertificate elsewhere;

    private final PostgresServer postgres = new JdbcPostgresServer(Clock.systemUTC());

    @BeforeAll
    static void start() throws Exception {
        plain = LocalPostgres.builder().start();
        own = TestCertificate.of(plain.home(), "ip:127.0.0.1");
        elsewhere = TestCertificate.of(plain.home(), "dns:db.internal");
        encrypted = own.server();
        misnamed = elsewhere.server();
    }

    @AfterAll
    static void stop() {
        encrypted.close();
        misnamed.close();
        plain.close();
    }

    private static ServerTarget target(LocalPostgres server, Mode mode, @Nullable String caPem) {
        return new ServerTarget(
                new ServerAddress("127.0.0.1", server.port(), "postgres"),
                new Credentials("required", "unused"),
                new Tls(mode, caPem),
                Targets.AMPLE);
    }

    /** Whether the session that a target makes is encrypted, by the server's own word. */
    private boolean isEncrypted(ServerTarget target, LocalPostgres server) throws ServerException {
        try (HeldSession session = postgres.hold(target)) {
            return "t".equals(server.query("SELECT ssl FROM pg_stat_ssl WHERE pid = " + session.backendPid()));
        }
    }

    private ServerException failure(ServerTarget target) {
        ServerException failure = catchThrowableOfType(ServerException.class, () -> postgres.observe(target));
        assertThat(failure).isNotNull();
        return failure;
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"PREFER", "REQUIRE"})
    void encryptsWithoutVerifyingWhereNothingIsGivenToVerifyBy(Mode mode) throws ServerException {
        assertThat(isEncrypted(target(encrypted, mode, null), encrypted)).isTrue();
        assertThat(isEncrypted(target(misnamed, mode, null), misnamed)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"REQUIRE", "VERIFY_CA", "VERIFY_FULL"})
    void verifiesByTheCaGivenAlsoAsOneOfSeveral(Mode mode) throws ServerException {
        assertThat(isEncrypted(target(encrypted, mode, own.certificatePem()), encrypted))
                .isTrue();
        String bundle = elsewhere.certificatePem() + own.certificatePem();
        assertThat(isEncrypted(target(encrypted, mode, bundle), encrypted)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"REQUIRE", "VERIFY_CA", "VERIFY_FULL"})
    void refusesAnotherCasCertificate(Mode mode) {
        assertThat(failure(target(encrypted, mode, elsewhere.certificatePem())).kind())
                .isEqualTo(ServerProblem.TLS_FAILED);
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"VERIFY_CA", "VERIFY_FULL"})
    void trustsOnlyPublicAuthoritiesWithoutACa(Mode mode) {
        assertThat(failure(target(encrypted, mode, null)).kind()).isEqualTo(ServerProblem.TLS_FAILED);
    }

    @Test
    void onlyVerifyFullMindsTheName() throws ServerException {
        assertThat(isEncrypted(target(misnamed, Mode.VERIFY_CA, elsewhere.certificatePem()), misnamed))
                .isTrue();
        ServerException failure = failure(target(misnamed, Mode.VERIFY_FULL, elsewhere.certificatePem()));
        assertThat(failure.kind()).isEqualTo(ServerProblem.TLS_FAILED);
        assertThat(failure).hasMessageContaining("verify-full");
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"REQUIRE", "VERIFY_CA", "VERIFY_FULL"})
    void refusesAServerWithoutTls(Mode mode) {
        assertThat(failure(target(plain, mode, own.certificatePem())).kind()).isEqualTo(ServerProblem.TLS_FAILED);
    }

    @Test
    void fallsBackOnlyWherePreferred() throws ServerException {
        plain.execute("CREATE ROLE required LOGIN SUPERUSER");
        assertThat(isEncrypted(target(plain, Mode.PREFER, null), plain)).isFalse();
        assertThat(isEncrypted(target(plain, Mode.DISABLE, null), plain)).isFalse();
        ServerException failure = failure(target(encrypted, Mode.DISABLE, null));
        assertThat(failure.kind()).isEqualTo(ServerProblem.AUTHENTICATION_FAILED);
        assertThat(failure.sqlState()).hasValue("28000");
    }

    @Test
    void saysThatACaCannotBeRead() {
        for (String pem :
                new String[] {"", "rubbish", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"}) {
            ServerException failure = failure(target(encrypted, Mode.VERIFY_FULL, pem));
            assertThat(failure.kind()).isEqualTo(ServerProblem.TLS_FAILED);
            assertThat(failure).hasMessageContaining("CA certificate");
        }
    }

    @Test
    void stopsAServerThroughTls() throws Exception {
        try (LocalPostgres server = own.server()) {
            try (HeldSession session = postgres.hold(target(server, Mode.VERIFY_FULL, own.certificatePem()))) {
                session.fastShutdown();
                server.awaitStopped();
            }
            assertThat(server.controlData("Database cluster state")).isEqualTo("shut down");
        }
    }
}

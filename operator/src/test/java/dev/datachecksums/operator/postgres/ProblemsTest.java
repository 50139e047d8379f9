package dev.datachecksums.operator.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemsTest {
    private static final Tls PREFER = Tls.of(Tls.Mode.PREFER);
    private static final ServerTarget TARGET = new ServerTarget(
            new ServerAddress("db-0.db", 5432, "postgres"),
            new Credentials("admin", "hunter2"),
            PREFER,
            Timeouts.DEFAULT);

    @ParameterizedTest
    @CsvSource({
        "08P01, NOT_POSTGRES",
        "08001, UNREACHABLE",
        "08006, UNREACHABLE",
        "08003, UNREACHABLE",
        "57014, TIMED_OUT",
        "55P03, TIMED_OUT",
        "28P01, AUTHENTICATION_FAILED",
        "28000, AUTHENTICATION_FAILED",
        "57P01, SHUTTING_DOWN",
        "57P02, SHUTTING_DOWN",
        "57P03, STARTING_UP",
        "53300, TOO_MANY_CONNECTIONS",
        "3D000, NO_SUCH_DATABASE",
        "42501, PERMISSION_DENIED",
        "38000, PROGRAM_FAILED",
        "42883, OTHER",
        "XX000, OTHER"
    })
    void typesAStatementsFailureBySqlState(String state, ServerProblem expected) {
        ServerException problem = Problems.asking(TARGET, new SQLException("any text", state));
        assertThat(problem.kind()).isEqualTo(expected);
        assertThat(problem.sqlState()).hasValue(state);
    }

    @Test
    void theTextDecidesNothing() {
        SQLException failure = new SQLException("FATAL: password authentication failed, connection refused", "22012");
        assertThat(Problems.asking(TARGET, failure).kind()).isEqualTo(ServerProblem.OTHER);
        assertThat(Problems.connecting(TARGET, failure).kind()).isEqualTo(ServerProblem.OTHER);
    }

    @Test
    void aFailureWithoutSqlStateIsTypedByItsCause() {
        assertThat(Problems.connectingKind(PREFER, new SQLException("x", (String) null)))
                .isEqualTo(ServerProblem.OTHER);
        assertThat(Problems.askingKind(new SQLException("x", "08006", new SocketTimeoutException("Read timed out"))))
                .isEqualTo(ServerProblem.TIMED_OUT);
    }

    @Test
    void typesAConnectionsFailureByItsCause() {
        assertThat(connecting("08001", new ConnectException("refused"))).isEqualTo(ServerProblem.UNREACHABLE);
        assertThat(connecting("08001", new UnknownHostException("db-0.db"))).isEqualTo(ServerProblem.UNREACHABLE);
        assertThat(connecting("08001", new EOFException())).isEqualTo(ServerProblem.UNREACHABLE);
        assertThat(connecting("08001", new SocketTimeoutException("connect timed out")))
                .isEqualTo(ServerProblem.TIMED_OUT);
        assertThat(connecting("08006", new SSLHandshakeException("PKIX"))).isEqualTo(ServerProblem.TLS_FAILED);
        assertThat(connecting("08006", new CertificateException("bad"))).isEqualTo(ServerProblem.TLS_FAILED);
    }

    private static ServerProblem connecting(String state, Exception cause) {
        return Problems.connectingKind(PREFER, new SQLException("x", state, cause));
    }

    @ParameterizedTest
    @EnumSource(Tls.Mode.class)
    void aDriversRefusalWithoutACauseDependsOnWhatWasDemanded(Tls.Mode mode) {
        boolean demands = mode != Tls.Mode.DISABLE && mode != Tls.Mode.PREFER;
        assertThat(Problems.connectingKind(Tls.of(mode), new SQLException("x", "08004")))
                .isEqualTo(demands ? ServerProblem.TLS_FAILED : ServerProblem.AUTHENTICATION_FAILED);
        boolean verifies = mode == Tls.Mode.VERIFY_CA || mode == Tls.Mode.VERIFY_FULL;
        assertThat(Problems.connectingKind(Tls.of(mode), new SQLException("x", "08006")))
                .isEqualTo(verifies ? ServerProblem.TLS_FAILED : ServerProblem.UNREACHABLE);
        assertThat(Problems.connectingKind(Tls.of(mode), new SQLException("x", "08001")))
                .isEqualTo(ServerProblem.TIMED_OUT);
    }

    @ParameterizedTest
    @EnumSource(ServerProblem.class)
    void everyMessageNamesTheServerAndNoPassword(ServerProblem kind) {
        String message = Problems.describe(kind, TARGET, new SQLException("line one\nline two\u0007", "XX000"));
        assertThat(message)
                .contains("db-0.db:5432", "line one line two")
                .doesNotContain("hunter2")
                .doesNotContainPattern("\\p{Cntrl}");
    }

    @Test
    void noTextOfATargetShowsThePassword() {
        assertThat(TARGET.toString()).contains("admin").doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "h/db?ssl=false",
                "h?x",
                "a,b",
                "h:5432",
                "[::1]",
                "::1%eth0",
                "h\n",
                "-h",
                "h h",
                "h&x=y"
            })
    void aHostIsANameOrAnAddress(String host) {
        assertThatThrownBy(() -> new ServerAddress(host, 5432, "postgres"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("host");
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders-db-0.orders-db", "10.1.2.3", "fd00::1", "db_1", "h."})
    void aHostOfTheUsualKindsIsTaken(String host) {
        assertThat(new ServerAddress(host, 5432, "postgres").host()).isEqualTo(host);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "it's", "a\nb", "$(id)", "a\"b", "a\\b", "`id`"})
    void anInterlocksWriterIsPlainText(String writer) {
        assertThatThrownBy(() -> new Interlock(writer)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "'child process exited with exit code 41', true",
        "'Kindprozess hat mit Code 43 beendet', true",
        "'child process exited with exit code 1', false",
        "'child process exited with exit code 127', false",
        "'child process was terminated by signal 15: Terminated', false"
    })
    void knowsTheExitCodesOfItsOwnScripts(String detail, boolean known) {
        assertThat(ServerScript.meaning(detail).isPresent()).isEqualTo(known);
    }

    @ParameterizedTest
    @CsvSource({
        "'PostgreSQL 13.13 on x86_64-pc-linux-gnu, compiled by CockroachDB CCL v24', CockroachDB",
        "'PostgreSQL 11.2-YB-2.20.1.3-b0 on x86_64-pc-linux-gnu', YugabyteDB",
        "'PostgreSQL 9.4.26 (Greenplum Database 6.26.4 build 1) on x86_64', Greenplum",
        "'PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc 3.4.2, Redshift 1.0.61678', Amazon Redshift",
        "'(openGauss 5.0.0 build a07d57c3) compiled at 2023-03-29', openGauss"
    })
    void namesForksByTheirVersion(String version, String fork) {
        assertThat(ForkDetector.byVersion(version)).hasValue(fork);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PostgreSQL 15.18 (Debian 15.18-0+deb12u1) on x86_64-pc-linux-gnu, compiled by gcc 12.2.0, 64-bit",
                "PostgreSQL 16.3 (EnterpriseDB Advanced Server 16.3.0) on x86_64-pc-linux-gnu, compiled by gcc",
                "PostgreSQL 17.2 - Percona Server for PostgreSQL 17.2.1 on x86_64-pc-linux-gnu"
            })
    void takesServersWithPostgresFilesForGenuine(String version) {
        assertThat(ForkDetector.byVersion(version)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "neon.tenant_id, Neon",
        "rds.extensions, Amazon RDS",
        "alloydb.enable_auto_explain, Google AlloyDB",
        "cloudsql.iam_authentication, Google Cloud SQL",
        "azure.extensions, Azure Database for PostgreSQL"
    })
    void namesManagedServicesByTheirSettings(String setting, String fork) {
        assertThat(ForkDetector.bySettings(List.of("work_mem", setting))).hasValue(fork);
        assertThat(ForkDetector.bySettings(List.of("work_mem"))).isEmpty();
    }
}

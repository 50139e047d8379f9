package dev.datachecksums.operator.decide.check;

import static dev.datachecksums.operator.decide.Observations.NOW;
import static dev.datachecksums.operator.decide.Observations.atRest;
import static dev.datachecksums.operator.decide.check.Asked.blocks;
import static dev.datachecksums.operator.decide.check.Asked.passes;
import static dev.datachecksums.operator.decide.check.Asked.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.Gate;
import dev.datachecksums.operator.decide.Servers;
import dev.datachecksums.operator.decide.Workloads;
import dev.datachecksums.operator.postgres.ServerProblem;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerChainTest {

    static Stream<Arguments> table() {
        CredentialsPresent credentials = new CredentialsPresent();
        Reachable reachable = new Reachable();
        Authenticated authenticated = new Authenticated();
        GenuinePostgres genuine = new GenuinePostgres();
        DirectConnection direct = new DirectConnection();
        Answered answered = new Answered();
        NotInRecovery primary = new NotInRecovery();
        SupportedVersion version = new SupportedVersion();
        HostAllowed host = new HostAllowed();
        return Stream.of(
                passes(host, "the server answers", atRest()),
                blocks(host, "elsewhere", atRest().serverMissing("HostNotAllowed"), "message of HostNotAllowed"),
                passes(credentials, "the server answers", atRest()),
                passes(credentials, "another reason", atRest().serverMissing("Unreachable")),
                blocks(
                        credentials,
                        "no Secret",
                        atRest().serverMissing("SecretNotFound"),
                        "SecretNotFound...remedy of"),
                blocks(
                        credentials,
                        "no key",
                        atRest().serverMissing("SecretKeyMissing"),
                        "message of SecretKeyMissing"),
                blocks(credentials, "may not read it", atRest().serverMissing("Forbidden"), "message of Forbidden"),
                blocks(
                        credentials,
                        "no usable host",
                        atRest().serverMissing("BadConnection"),
                        "message of BadConnection"),
                waits(
                        reachable,
                        "the pod has no address yet",
                        atRest().serverMissing("NoAddress").workload(Workloads::notReady),
                        "Pod orders-db-0 is starting"),
                passes(reachable, "the server answers", atRest()),
                passes(reachable, "another reason", atRest().serverMissing("AuthenticationFailed")),
                blocks(reachable, "ready pod", atRest().serverMissing("Unreachable"), "message of Unreachable"),
                blocks(
                        reachable,
                        "external",
                        atRest().external().serverMissing("Unreachable"),
                        "message of Unreachable"),
                blocks(reachable, "no answer in time", atRest().serverMissing("TimedOut"), "message of TimedOut"),
                blocks(reachable, "full", atRest().serverMissing("TooManyConnections"), "message of TooMany"),
                waits(reachable, "starting", atRest().serverMissing("StartingUp"), "message of StartingUp"),
                waits(reachable, "stopping", atRest().serverMissing("ShuttingDown"), "message of ShuttingDown"),
                waits(
                        reachable,
                        "the pod is not ready",
                        atRest().serverMissing("Unreachable").workload(Workloads::notReady),
                        "Pod orders-db-0 is starting...kubectl describe pod orders-db-0"),
                waits(
                        reachable,
                        "no pod yet",
                        atRest().serverMissing("TimedOut").workload(Workloads::noPod),
                        "StatefulSet orders-db has no pod yet"),
                blocks(
                        reachable,
                        "scaled to 0",
                        atRest().serverMissing("Unreachable")
                                .workload(w -> w.noPod().replicas(0)),
                        "scaled to 0...Scale it to 1"),
                blocks(
                        reachable,
                        "the container crashes",
                        atRest().serverMissing("Unreachable").workload(Workloads::crashing),
                        "does not stay up...kubectl logs --previous orders-db-0"),
                passes(authenticated, "the server answers", atRest()),
                passes(authenticated, "another reason", atRest().serverMissing("Unreachable")),
                blocks(authenticated, "wrong password", atRest().serverMissing("AuthenticationFailed"), "message of"),
                blocks(authenticated, "no TLS", atRest().serverMissing("TlsFailed"), "message of TlsFailed"),
                blocks(authenticated, "no database", atRest().serverMissing("NoSuchDatabase"), "message of NoSuch"),
                blocks(authenticated, "no right", atRest().serverMissing("PermissionDenied"), "message of Permission"),
                passes(genuine, "PostgreSQL", atRest()),
                blocks(genuine, "another protocol", atRest().serverMissing("NotPostgres"), "message of NotPostgres"),
                blocks(genuine, "a fork", atRest().server(s -> s.fork("CockroachDB")), "is CockroachDB"),
                passes(direct, "no pooler", atRest()),
                blocks(
                        direct,
                        "evidence of one",
                        atRest().server(s -> s.pooler("PgBouncer")),
                        "PgBouncer...the server itself"),
                blocks(
                        direct,
                        "said so by the error",
                        atRest().serverMissing("BehindPooler"),
                        "message of BehindPooler"),
                passes(answered, "it has", atRest()),
                waits(
                        answered,
                        "just stopped by us",
                        atRest().serverMissing("StoppedForConversion"),
                        "message of Stopped"),
                blocks(answered, "a reason nobody knows", atRest().serverMissing("FlyingPig"), "message of FlyingPig"),
                passes(primary, "a primary", atRest()),
                passes(primary, "it did not answer", atRest().serverMissing("Unreachable")),
                blocks(primary, "case 3: a standby", atRest().server(Servers::inRecovery), "a standby...the primary"),
                passes(version, "12.0", atRest().server(s -> s.version(120_000))),
                blocks(version, "11.22", atRest().server(s -> s.version(110_022)), "PostgreSQL 11.22 is too old"));
    }

    @ParameterizedTest
    @MethodSource("table")
    void check(Asked row) {
        row.verify();
    }

    @Test
    void whatPassesEveryCheckPassesTheGate() {
        assertThat(Gates.standard().askServer(atRest().build())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ServerProblem.class)
    void noProblemOfAServerIsPassedOver(ServerProblem problem) {
        String reason = Arrays.stream(problem.name().split("_"))
                .map(w -> w.charAt(0) + w.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
        assertThat(Gates.standard().askServer(atRest().serverMissing(reason).build()))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"WorkloadNotFound", "StoppedForConversion", "ApiUnavailable", "SecretNotFound", "", "🙂"})
    void noOtherReasonIsPassedOver(String reason) {
        assertThat(Gates.standard().askServer(atRest().serverMissing(reason).build()))
                .hasSize(1);
    }

    @Test
    void theChainStopsAtItsFirstNo() {
        Gate gate = Gates.standard();
        List<Finding> findings = gate.askServer(atRest().at(NOW)
                .server(s -> s.fork("Greenplum").version(90_400).inRecovery())
                .build());
        assertThat(findings).extracting(Finding::check).containsExactly("GenuinePostgres");
    }
}

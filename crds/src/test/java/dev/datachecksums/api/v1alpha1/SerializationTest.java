package dev.datachecksums.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

/** What the operator reads and writes is what the API server has. */
class SerializationTest {
    private static final String LEAST = """
        apiVersion: datachecksums.dev/v1alpha1
        kind: DataChecksums
        metadata: {name: orders-db, namespace: shop}
        spec:
          instanceRef: {name: orders-db}
          connection: {credentials: {secretName: orders-superuser}}
        """;

    private static final String MOST = """
        apiVersion: datachecksums.dev/v1alpha1
        kind: DataChecksums
        metadata: {name: orders-db, namespace: shop}
        spec:
          state: Disabled
          suspend: true
          instanceRef: {apiVersion: v1, kind: Other, name: orders-db, container: pg}
          connection:
            host: db
            port: 6543
            database: template1
            credentials: {secretName: s, usernameKey: u, passwordKey: p}
            tls: {mode: VerifyFull, caSecretName: ca, caKey: root.crt}
          policy:
            method: Offline
            onDrift: Report
            window: {schedule: "0 2 * * 6", duration: 3h, timeZone: Europe/Berlin, appliesTo: Conversion}
            stalledAfter: 20m
            attempts: 7
            online: {costDelay: 5ms, costLimit: 200, maxReplicaLag: 1Gi, blockers: Terminate, blockersGrace: 1m}
            offline: {strategy: TemporaryStandby, maxOutage: 1h, sync: Syncfs, maxCopyRate: 200Mi}
        """;

    @Test
    void everyFieldOfASpecSurvives() {
        DataChecksums read = Serialization.unmarshal(MOST, DataChecksums.class);
        assertThat(read.getSpec())
                .isEqualTo(new DataChecksumsSpec(
                        DesiredState.DISABLED,
                        true,
                        new InstanceRef("v1", "Other", "orders-db", "pg"),
                        new ConnectionSpec(
                                "db",
                                6543,
                                "template1",
                                new CredentialsSpec("s", "u", "p"),
                                new TlsSpec(TlsMode.VERIFY_FULL, "ca", "root.crt")),
                        new PolicySpec(
                                Method.OFFLINE,
                                OnDrift.REPORT,
                                new WindowSpec("0 2 * * 6", "3h", "Europe/Berlin", WindowScope.CONVERSION),
                                "20m",
                                7,
                                new OnlinePolicy("5ms", 200, "1Gi", Blockers.TERMINATE, "1m"),
                                new OfflinePolicy(
                                        OfflineStrategy.TEMPORARY_STANDBY, "1h", SyncMethod.SYNCFS, "200Mi"))));
        JsonNode asWritten = Serialization.unmarshal(MOST, JsonNode.class);
        JsonNode writtenAgain = Serialization.unmarshal(Serialization.asYaml(read), JsonNode.class);
        assertThat(writtenAgain.path("spec")).isEqualTo(asWritten.path("spec"));
    }

    @Test
    void defaultsAreThoseThatTheApiServerFillsIn() {
        DataChecksumsSpec spec =
                Serialization.unmarshal(LEAST, DataChecksums.class).getSpec();
        assertThat(spec.state()).isEqualTo(DesiredState.ENABLED);
        assertThat(spec.suspended()).isFalse();
        assertThat(spec.policy()).isEqualTo(PolicySpec.DEFAULT);
        assertThat(spec.policy().maxAttempts()).isEqualTo(3);
        assertThat(spec.connection().portNumber()).isEqualTo(5432);
        assertThat(spec.connection().tls().mode()).isEqualTo(TlsMode.PREFER);
    }

    @Test
    void aFieldOfALaterVersionIsIgnored() {
        String later = MOST.replace("suspend: true", "suspend: true\n  laterField: {a: [1]}")
                .replace("port: 6543", "port: 6543\n    laterField: x")
                .replace("attempts: 7", "attempts: 7\n    laterField: x");
        assertThat(Serialization.unmarshal(later, DataChecksums.class).getSpec())
                .isEqualTo(Serialization.unmarshal(MOST, DataChecksums.class).getSpec());
    }

    @Test
    void aWordThatNoEnumHasIsRefusedByName() {
        assertThatThrownBy(() -> Serialization.unmarshal(MOST.replace("Disabled", "Sometimes"), DataChecksums.class))
                .hasStackTraceContaining("Sometimes");
    }

    @Test
    void whatIsNotKnownIsNotWritten() {
        DataChecksums resource = Serialization.unmarshal(LEAST, DataChecksums.class);
        resource.setStatus(DataChecksumsStatus.EMPTY);
        JsonNode written = Serialization.unmarshal(Serialization.asJson(resource), JsonNode.class);
        assertThat(written.path("status")).isEmpty();
        assertThat(written.findValues("null")).isEmpty();
        assertThat(written.path("spec").has("suspend")).isTrue();
        assertThat(written.path("spec").path("connection").has("host")).isFalse();
    }
}

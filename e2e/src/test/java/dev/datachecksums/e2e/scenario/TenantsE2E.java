package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.BlockerStatus;
import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.e2e.testbed.EmbeddedTestbed;
import dev.datachecksums.e2e.testbed.OperatorHandle;
import dev.datachecksums.e2e.testbed.Operators;
import dev.datachecksums.e2e.testbed.PostgresInstance;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two tenants with an operator between them: neither reaches the other's Secrets or servers through it. */
@Tag("embedded")
class TenantsE2E {
    private static final String INTRUDER = "intruder";

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void noneReachesTheOthersSecretsOrServers() throws Exception {
        try (EmbeddedTestbed testbed = EmbeddedTestbed.start()) {
            PostgresInstance victim = testbed.createReady(PostgresSpec.named("victim"));
            testbed.client()
                    .resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(INTRUDER)
                            .endMetadata()
                            .build())
                    .create();
            try (OperatorHandle operator = Operators.of(
                            testbed,
                            "--watch-namespaces=" + testbed.namespace() + "," + INTRUDER,
                            "--blocked-interval=1s");
                    Connection watching = victim.connect()) {
                operator.start();
                long before = sessions(watching);
                // Its own Secret, with what it has guessed.
                testbed.client()
                        .resource(new SecretBuilder()
                                .withNewMetadata()
                                .withName("guessed")
                                .withNamespace(INTRUDER)
                                .endMetadata()
                                .withStringData(Map.of("username", victim.user(), "password", victim.password()))
                                .build())
                        .create();
                service(
                        testbed,
                        "away",
                        new ServiceBuilder()
                                .withNewSpec()
                                .withType("ExternalName")
                                .withExternalName(victim.name() + "." + testbed.namespace() + ".svc.cluster.local")
                                .endSpec());
                service(
                        testbed,
                        "by-hand",
                        new ServiceBuilder().withNewSpec().withPorts(List.of()).endSpec());
                String inside = victim.name() + "." + testbed.namespace();
                int n = 0;
                for (String host : List.of(
                        inside,
                        inside + ".svc",
                        inside + ".svc.cluster.local",
                        victim.podName() + "." + inside + ".svc",
                        victim.address(),
                        victim.name(),
                        "away",
                        "by-hand")) {
                    assertThat(blocked(testbed, "host-" + n++, host, "guessed").check())
                            .as(host)
                            .isEqualTo("HostAllowed");
                }
                // The other's Secret, by its name: it is looked for at home.
                service(
                        testbed,
                        "own",
                        new ServiceBuilder()
                                .withNewSpec()
                                .withSelector(Map.of("app", "none"))
                                .endSpec());
                BlockerStatus secret = blocked(testbed, "secret", "own", victim.secretName());
                assertThat(secret.check()).isEqualTo("CredentialsPresent");
                assertThat(secret.message()).contains(victim.secretName(), "namespace " + INTRUDER);
                assertThat(sessions(watching)).isEqualTo(before);
            }
        }
    }

    private static BlockerStatus blocked(EmbeddedTestbed testbed, String name, String host, String secret) {
        testbed.client()
                .resource(Serialization.unmarshal(
                        """
                        apiVersion: datachecksums.dev/v1alpha1
                        kind: DataChecksums
                        metadata: {name: NAME, namespace: intruder}
                        spec:
                          connection: {host: "HOST", credentials: {secretName: SECRET}}
                        """.replace("NAME", name).replace("HOST", host).replace("SECRET", secret), DataChecksums.class))
                .create();
        DataChecksums seen = Awaitility.await(name + ": " + host)
                .atMost(1, TimeUnit.MINUTES)
                .until(
                        () -> testbed.client()
                                .resources(DataChecksums.class)
                                .inNamespace(INTRUDER)
                                .withName(name)
                                .get(),
                        d -> d.getStatus() != null
                                && d.getStatus().blockers() != null
                                && !d.getStatus().blockers().isEmpty());
        return Objects.requireNonNull(Objects.requireNonNull(seen.getStatus()).blockers())
                .get(0);
    }

    private static void service(EmbeddedTestbed testbed, String name, ServiceBuilder builder) {
        Service service = builder.withNewMetadata()
                .withName(name)
                .withNamespace(INTRUDER)
                .endMetadata()
                .build();
        testbed.client().resource(service).create();
    }

    /** Each try to log in is one, whether it succeeds or not, as far as it names a database; ours stays open. */
    private static long sessions(Connection watching) throws Exception {
        try (Statement statement = watching.createStatement();
                ResultSet row = statement.executeQuery("select sum(sessions) from pg_stat_database")) {
            row.next();
            return row.getLong(1);
        }
    }
}

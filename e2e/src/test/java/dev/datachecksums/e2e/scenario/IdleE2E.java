package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.e2e.testbed.EmbeddedTestbed;
import dev.datachecksums.e2e.testbed.OperatorHandle;
import dev.datachecksums.e2e.testbed.Operators;
import dev.datachecksums.e2e.testbed.PostgresInstance;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.api.Access;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two hours at the standard interval of five minutes are 24 looks at each; here they follow one another at once. */
@Tag("embedded")
class IdleE2E {
    /** 200 by {@code -Didle.resources=200}; as many as CI has time for otherwise. */
    private static final int RESOURCES = Integer.getInteger("idle.resources", 30);

    private static final int LOOKS = 24 * RESOURCES;

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void twoHoursAtRestAreNoWrite() throws SQLException {
        try (EmbeddedTestbed testbed = EmbeddedTestbed.start()) {
            PostgresInstance server =
                    testbed.createReady(PostgresSpec.named("idle").withChecksums(true));
            try (OperatorHandle operator =
                            Operators.of(testbed, "--blocked-interval=500ms", "--resting-interval=500ms");
                    Connection watching = server.connect()) {
                operator.start();
                // One is converged; to suspend is to be at rest too; the others are in conflict with the oldest.
                for (int i = 0; i < RESOURCES; i++) {
                    testbed.client().resource(declaration(server, i)).create();
                }
                Awaitility.await()
                        .atMost(4, TimeUnit.MINUTES)
                        .until(() -> versions(testbed).size() == RESOURCES && settled(testbed));
                Map<String, String> before = versions(testbed);
                long acts = acts(testbed);
                long looks = Looks.at(watching);
                Awaitility.await()
                        .atMost(8, TimeUnit.MINUTES)
                        .pollInterval(1, TimeUnit.SECONDS)
                        .until(() -> Looks.at(watching) >= looks + LOOKS);
                assertThat(versions(testbed)).isEqualTo(before);
                assertThat(acts(testbed)).isEqualTo(acts);
            }
        }
    }

    private static DataChecksums declaration(PostgresInstance server, int i) {
        return Serialization.unmarshal(
                """
                apiVersion: datachecksums.dev/v1alpha1
                kind: DataChecksums
                metadata: {name: NAME}
                spec:
                  suspend: SUSPEND
                  instanceRef: {name: SERVER}
                  connection: {credentials: {secretName: SECRET}}
                """.replace("NAME", "idle-" + i)
                        .replace("SUSPEND", String.valueOf(i % 2 == 1))
                        .replace("SERVER", server.name())
                        .replace("SECRET", server.secretName()),
                DataChecksums.class);
    }

    private static boolean settled(EmbeddedTestbed testbed) {
        return testbed
                .client()
                .resources(DataChecksums.class)
                .inNamespace(testbed.namespace())
                .list()
                .getItems()
                .stream()
                .allMatch(d -> d.getStatus() != null
                        && d.getStatus().phase() != null
                        && d.getStatus().phase() != Phase.PENDING);
    }

    private static Map<String, String> versions(EmbeddedTestbed testbed) {
        Map<String, String> versions = new TreeMap<>();
        testbed.client()
                .resources(DataChecksums.class)
                .inNamespace(testbed.namespace())
                .list()
                .getItems()
                .forEach(d ->
                        versions.put(d.getMetadata().getName(), d.getMetadata().getResourceVersion()));
        return versions;
    }

    /** Everything that the operator has changed or tried to, but for its Lease. */
    private static long acts(EmbeddedTestbed testbed) {
        return testbed.access().acts().stream()
                .filter((Access.Act a) -> a.user().equals(EmbeddedTestbed.OPERATOR))
                .count();
    }
}

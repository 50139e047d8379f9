package dev.datachecksums.e2e.bench;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.e2e.testbed.PostgresInstance;
import dev.datachecksums.e2e.testbed.Testbed;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;

/**
 * A server with a declaration of the same name, and the outages that changes of it cost.
 *
 * @param converts how long a conversion may take
 */
record DeclaredServer(Testbed testbed, PostgresInstance postgres, AvailabilityProbe probe, Duration converts) {

    /** One whose conversion takes no more than some minutes. */
    DeclaredServer(Testbed testbed, PostgresInstance postgres, AvailabilityProbe probe) {
        this(testbed, postgres, probe, Duration.ofMinutes(3));
    }

    /** Creates the declaration, disabled, with this policy in JSON. */
    void declare(String policy) {
        DataChecksums d = Serialization.unmarshal(
                """
                apiVersion: datachecksums.dev/v1alpha1
                kind: DataChecksums
                metadata: {name: %1$s}
                spec:
                  state: Disabled
                  instanceRef: {name: %1$s}
                  connection: {credentials: {secretName: %2$s}}
                  policy: %3$s
                """.formatted(postgres.name(), postgres.secretName(), policy), DataChecksums.class);
        testbed.client().resource(d).inNamespace(testbed.namespace()).create();
    }

    /** Declares the state, and waits until it is reached. */
    void state(DesiredState state) {
        patch("{\"spec\":{\"state\":\"" + (state == DesiredState.ENABLED ? "Enabled" : "Disabled") + "\"}}");
        Waits.until("converged: " + state, converts, () -> {
            DataChecksums d = handle().get();
            return d.getStatus() != null
                    && d.getStatus().observedGeneration() != null
                    && d.getStatus().observedGeneration().equals(d.getMetadata().getGeneration())
                    && d.getStatus().phase() == Phase.CONVERGED
                    && d.getStatus().conversion() == null;
        });
    }

    /** The longest outage at the pod's address while this is done and the server has not come back. */
    Duration outage(Runnable what) {
        postgres.awaitReady();
        // An answer before it begins, so that nothing of what was before counts.
        Waits.pause(Duration.ofMillis(500));
        probe.reset();
        what.run();
        postgres.awaitReady();
        Waits.pause(Duration.ofMillis(500));
        return probe.longest();
    }

    Resource<DataChecksums> handle() {
        return testbed.client()
                .resources(DataChecksums.class)
                .inNamespace(testbed.namespace())
                .withName(postgres.name());
    }

    void patch(String json) {
        handle().patch(PatchContext.of(PatchType.JSON_MERGE), json);
    }
}

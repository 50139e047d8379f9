package dev.datachecksums.e2e.manifests;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.e2e.testbed.PostgresInstance;
import io.fabric8.kubernetes.client.utils.Serialization;

/** The least that a declaration needs. */
final class Declarations {
    private Declarations() {}

    static DataChecksums of(PostgresInstance server) {
        return of(server, "StatefulSet");
    }

    static DataChecksums of(PostgresInstance server, String kind) {
        return Serialization.unmarshal(
                """
                apiVersion: datachecksums.dev/v1alpha1
                kind: DataChecksums
                metadata: {name: NAME}
                spec:
                  instanceRef: {kind: KIND, name: NAME}
                  connection: {host: NAME, credentials: {secretName: SECRET}}
                """.replace("KIND", kind).replace("NAME", server.name()).replace("SECRET", server.secretName()),
                DataChecksums.class);
    }
}

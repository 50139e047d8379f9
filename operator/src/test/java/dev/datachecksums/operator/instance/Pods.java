package dev.datachecksums.operator.instance;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;

/** Pods for tests, as short as they can be written. */
public final class Pods {

    private Pods() {}

    /** Reads YAML in one line; without its mark the client takes it for JSON. */
    public static <T> T read(String yaml, Class<T> type) {
        return Serialization.unmarshal("---\n" + yaml, type);
    }

    /** The pod of a StatefulSet {@code db}, running and ready, with a claim {@code data} and what the YAML adds to its spec. */
    public static Pod yaml(String spec) {
        return Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: db-0
                  namespace: ns
                  uid: pod-uid
                  resourceVersion: "7"
                  labels: {app: db, controller-revision-hash: db-1}
                  ownerReferences:
                    - {apiVersion: apps/v1, kind: StatefulSet, name: db, uid: set-uid, controller: true}
                status:
                  phase: Running
                  podIP: 10.0.0.7
                  conditions: [{type: Ready, status: "True"}]
                spec:
                """ + spec.indent(2), Pod.class);
    }

    /** A container {@code name} that mounts {@code volume:path[:subPath]}. */
    public static Container container(String name, String... mounts) {
        ContainerBuilder builder = new ContainerBuilder().withName(name).withImage(name + ":1");
        Arrays.stream(mounts)
                .map(m -> m.split(":", 3))
                .forEach(m -> builder.addNewVolumeMount()
                        .withName(m[0])
                        .withMountPath(m[1])
                        .withSubPath(m.length > 2 ? m[2] : null)
                        .endVolumeMount());
        return builder.build();
    }

    /** A pod of these containers, with volumes {@code data} and {@code fast} on claims and {@code scratch} in an emptyDir. */
    public static Pod of(Container... containers) {
        return new PodBuilder(yaml("nodeName: node-1"))
                .editSpec()
                .withContainers(containers)
                .addNewVolume()
                .withName("data")
                .withNewPersistentVolumeClaim("data-db-0", false)
                .endVolume()
                .addNewVolume()
                .withName("fast")
                .withNewPersistentVolumeClaim("fast-db-0", false)
                .endVolume()
                .addNewVolume()
                .withName("scratch")
                .withNewEmptyDir()
                .endEmptyDir()
                .endVolume()
                .addNewVolume()
                .withName("conf")
                .withNewSecret()
                .withSecretName("conf")
                .endSecret()
                .endVolume()
                .endSpec()
                .build();
    }
}

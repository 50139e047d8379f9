package dev.datachecksums.e2e.scenario;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Shapes of a server's StatefulSet that are met outside, and that differ from the usual one. */
final class OddPods {
    private static final long USER = 999;

    /** No fsGroup: the volume belongs to root, and an init container gave the server a directory in it. */
    static final UnaryOperator<StatefulSet> IN_ROOTS_MOUNT = pods(spec -> {
        VolumeMount mount = spec.getContainers().get(0).getVolumeMounts().get(0);
        String data = mount.getMountPath() + "/pgdata";
        return new PodSpecBuilder(spec)
                .withNewSecurityContext()
                .withRunAsUser(USER)
                .withRunAsGroup(USER)
                .endSecurityContext()
                .addNewInitContainer()
                .withName("own")
                .withImage(spec.getContainers().get(0).getImage())
                .withImagePullPolicy("IfNotPresent")
                .withCommand("sh", "-c", "mkdir -p -m 700 " + data + " && chown 999:999 " + data)
                .withNewSecurityContext()
                .withRunAsUser(0L)
                .withRunAsGroup(0L)
                .endSecurityContext()
                .withVolumeMounts(mount)
                .endInitContainer()
                .build();
    });

    /** An image that starts as root, and a mount that is the data directory: its root is not to be renamed. */
    static final UnaryOperator<StatefulSet> SUB_PATH = pods(spec -> new PodSpecBuilder(spec)
            .withSecurityContext(null)
            .editContainer(0)
            .editMatchingEnv(e -> "PGDATA".equals(e.getName()))
            .withValue(spec.getContainers().get(0).getVolumeMounts().get(0).getMountPath())
            .endEnv()
            .editVolumeMount(0)
            .withSubPath("instances/one")
            .endVolumeMount()
            .endContainer()
            .build());

    static final UnaryOperator<StatefulSet> READ_ONLY_ROOT = pods(spec -> new PodSpecBuilder(spec)
            .editContainer(0)
            .withNewSecurityContext()
            .withReadOnlyRootFilesystem(true)
            .endSecurityContext()
            .addNewVolumeMount()
            .withName("tmp")
            .withMountPath("/tmp")
            .endVolumeMount()
            .addNewVolumeMount()
            .withName("run")
            .withMountPath("/var/run/postgresql")
            .endVolumeMount()
            .endContainer()
            .addNewVolume()
            .withName("tmp")
            .withNewEmptyDir()
            .endEmptyDir()
            .endVolume()
            .addNewVolume()
            .withName("run")
            .withNewEmptyDir()
            .endEmptyDir()
            .endVolume()
            .build());

    /** Longer than a Job stays armed: only a shutdown that does not wait for the hook comes in time. */
    static final UnaryOperator<StatefulSet> PRE_STOP = pods(spec -> new PodSpecBuilder(spec)
            .editContainer(0)
            .withNewLifecycle()
            .withNewPreStop()
            .withNewExec()
            .withCommand("sleep", "30")
            .endExec()
            .endPreStop()
            .endLifecycle()
            .endContainer()
            .build());

    static final UnaryOperator<StatefulSet> DEAF_SIDECAR = pods(spec -> new PodSpecBuilder(spec)
            .addToContainers(new ContainerBuilder()
                    .withName("deaf")
                    .withImage(spec.getContainers().get(0).getImage())
                    .withImagePullPolicy("IfNotPresent")
                    .withCommand("sh", "-c", "trap '' TERM INT; while :; do sleep 1; done")
                    .build())
            .build());

    static final UnaryOperator<StatefulSet> READ_WRITE_ONCE_POD = set -> new StatefulSetBuilder(set)
            .editSpec()
            .editVolumeClaimTemplate(0)
            .editSpec()
            .withAccessModes("ReadWriteOncePod")
            .endSpec()
            .endVolumeClaimTemplate()
            .endSpec()
            .build();

    /** What PodSecurity restricted asks of a pod; with limits, as a quota may ask for them. */
    static final UnaryOperator<StatefulSet> RESTRICTED = pods(spec -> new PodSpecBuilder(spec)
            .editSecurityContext()
            .withRunAsNonRoot(true)
            .withNewSeccompProfile()
            .withType("RuntimeDefault")
            .endSeccompProfile()
            .endSecurityContext()
            .editContainer(0)
            .withNewSecurityContext()
            .withAllowPrivilegeEscalation(false)
            .withNewCapabilities()
            .withDrop("ALL")
            .endCapabilities()
            .endSecurityContext()
            .withNewResources()
            .withRequests(Map.of("cpu", new Quantity("100m"), "memory", new Quantity("128Mi")))
            .withLimits(Map.of("cpu", new Quantity("1"), "memory", new Quantity("512Mi")))
            .endResources()
            .endContainer()
            .build());

    private OddPods() {}

    private static UnaryOperator<StatefulSet> pods(UnaryOperator<PodSpec> shape) {
        return set -> new StatefulSetBuilder(set)
                .editSpec()
                .editTemplate()
                .withSpec(shape.apply(set.getSpec().getTemplate().getSpec()))
                .endTemplate()
                .endSpec()
                .build();
    }
}

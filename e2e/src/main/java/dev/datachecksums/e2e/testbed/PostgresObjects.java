package dev.datachecksums.e2e.testbed;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The objects of a {@link PostgresSpec}: what a careful person would write by hand. */
final class PostgresObjects {
    static final String CONTAINER = "postgres";
    static final String VOLUME = "data";

    private static final long USER = 999;

    private final PostgresSpec spec;
    private final String image;
    private final String mountPath;
    private final StatefulSet set;

    PostgresObjects(PostgresSpec spec, String image, String mountPath) {
        this(spec, image, mountPath, UnaryOperator.identity());
    }

    PostgresObjects(PostgresSpec spec, String image, String mountPath, UnaryOperator<StatefulSet> shape) {
        this.spec = spec;
        this.image = image;
        this.mountPath = mountPath;
        this.set = shape.apply(statefulSet());
    }

    /** What the server is told. */
    String dataDirectory() {
        return shaped().getEnv().stream()
                .filter(e -> "PGDATA".equals(e.getName()))
                .map(EnvVar::getValue)
                .findFirst()
                .orElseThrow();
    }

    String pathInVolume() {
        VolumeMount mount = shaped().getVolumeMounts().stream()
                .filter(m -> VOLUME.equals(m.getName()))
                .findFirst()
                .orElseThrow();
        Path below = Path.of(mount.getMountPath()).relativize(Path.of(dataDirectory()));
        return Path.of(mount.getSubPath() == null ? "" : mount.getSubPath())
                .resolve(below)
                .toString();
    }

    private Container shaped() {
        return set.getSpec().getTemplate().getSpec().getContainers().stream()
                .filter(c -> CONTAINER.equals(c.getName()))
                .findFirst()
                .orElseThrow();
    }

    List<HasMetadata> all() {
        return List.of(secret(), service(), set);
    }

    /** The same server as a Deployment of one, with a claim of its own. */
    List<HasMetadata> asDeployment(UnaryOperator<Deployment> shaping) {
        PersistentVolumeClaim claim = new PersistentVolumeClaimBuilder(claim())
                .editMetadata()
                .withName(claimOfDeployment(spec.name()))
                .endMetadata()
                .build();
        Deployment deployment = new DeploymentBuilder()
                .withNewMetadata()
                .withName(spec.name())
                .endMetadata()
                .withNewSpec()
                .withReplicas(1)
                .withNewStrategy()
                .withType("Recreate")
                .endStrategy()
                .withSelector(set.getSpec().getSelector())
                .withTemplate(new PodTemplateSpecBuilder(set.getSpec().getTemplate())
                        .editSpec()
                        .withVolumes(
                                spec.storage() == PostgresSpec.Storage.CLAIM
                                        ? claimed(claim.getMetadata().getName())
                                        : emptyDir())
                        .endSpec()
                        .build())
                .endSpec()
                .build();
        return List.of(secret(), service(), claim, shaping.apply(deployment));
    }

    static String claimOfDeployment(String name) {
        return name + "-" + VOLUME;
    }

    private static Volume claimed(String claim) {
        return new VolumeBuilder()
                .withName(VOLUME)
                .withNewPersistentVolumeClaim(claim, false)
                .build();
    }

    private HasMetadata secret() {
        return new SecretBuilder()
                .withNewMetadata()
                .withName(spec.name() + "-superuser")
                .endMetadata()
                .withStringData(Map.of("username", "postgres", "password", spec.password()))
                .build();
    }

    private HasMetadata service() {
        return new ServiceBuilder()
                .withNewMetadata()
                .withName(spec.name())
                .endMetadata()
                .withNewSpec()
                .withClusterIP("None")
                .withPublishNotReadyAddresses(true)
                .withSelector(Map.of("app", spec.name()))
                .addNewPort()
                .withName("postgres")
                .withPort(5432)
                .endPort()
                .endSpec()
                .build();
    }

    private StatefulSet statefulSet() {
        Map<String, String> labels = new TreeMap<>(spec.labels());
        labels.put("app", spec.name());
        boolean claimed = spec.storage() == PostgresSpec.Storage.CLAIM;
        return new StatefulSetBuilder()
                .withNewMetadata()
                .withName(spec.name())
                .endMetadata()
                .withNewSpec()
                .withReplicas(1)
                .withServiceName(spec.name())
                .withNewSelector()
                .withMatchLabels(Map.of("app", spec.name()))
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .withAnnotations(spec.annotations())
                .endMetadata()
                .withNewSpec()
                .withTerminationGracePeriodSeconds((long) spec.graceSeconds())
                .withNewSecurityContext()
                .withRunAsUser(USER)
                .withRunAsGroup(USER)
                .withFsGroup(USER)
                .withFsGroupChangePolicy("OnRootMismatch")
                .endSecurityContext()
                .withContainers(server())
                .withVolumes(claimed ? List.of() : List.of(emptyDir()))
                .endSpec()
                .endTemplate()
                .withVolumeClaimTemplates(claimed ? List.of(claim()) : List.of())
                .endSpec()
                .build();
    }

    private Container server() {
        return new ContainerBuilder()
                .withName(CONTAINER)
                .withImage(image)
                .withImagePullPolicy("IfNotPresent")
                .withCommand(spec.command())
                .withArgs(spec.arguments())
                .addNewEnv()
                .withName("PGDATA")
                // Below the mount path, as the volume's root may hold a lost+found.
                .withValue(mountPath + "/pgdata")
                .endEnv()
                .addNewEnv()
                .withName("POSTGRES_INITDB_ARGS")
                .withValue(initdbArguments())
                .endEnv()
                .addNewEnv()
                .withName("POSTGRES_PASSWORD")
                .withNewValueFrom()
                .withNewSecretKeyRef("password", spec.name() + "-superuser", false)
                .endValueFrom()
                .endEnv()
                .addNewPort()
                .withName("postgres")
                .withContainerPort(5432)
                .endPort()
                .withNewReadinessProbe()
                .withNewExec()
                .withCommand("pg_isready", "-q", "-h", "127.0.0.1", "-U", "postgres")
                .endExec()
                .withPeriodSeconds(1)
                .withTimeoutSeconds(3)
                .endReadinessProbe()
                .addNewVolumeMount()
                .withName(VOLUME)
                .withMountPath(mountPath)
                .endVolumeMount()
                .build();
    }

    /** From 18 on checksums are initdb's default, and must be turned off by name. */
    private String initdbArguments() {
        int major = Integer.parseInt(image.replaceFirst(".*:(\\d+).*", "$1"));
        if (spec.checksums()) {
            return "--data-checksums";
        }
        return major >= 18 ? "--no-data-checksums" : "";
    }

    private static Volume emptyDir() {
        return new VolumeBuilder()
                .withName(VOLUME)
                .withNewEmptyDir()
                .endEmptyDir()
                .build();
    }

    private static PersistentVolumeClaim claim() {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName(VOLUME)
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withNewResources()
                .withRequests(Map.of("storage", new Quantity("2Gi")))
                .endResources()
                .endSpec()
                .build();
    }

    /** A pod that runs one shell script with the server's image, user and volume, and ends. */
    Pod tool(String name, String script, String claim) {
        PodSpec like = set.getSpec().getTemplate().getSpec();
        Container server = shaped();
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("Never")
                .withTerminationGracePeriodSeconds(1L)
                .withSecurityContext(new PodSecurityContextBuilder(like.getSecurityContext())
                        .withRunAsUser(USER)
                        .withRunAsGroup(USER)
                        .withFsGroup(null)
                        .withFsGroupChangePolicy(null)
                        .build())
                .addNewContainer()
                .withName("tool")
                .withImage(image)
                .withImagePullPolicy("IfNotPresent")
                .withCommand("sh", "-c", script)
                .withSecurityContext(server.getSecurityContext())
                .addNewEnv()
                .withName("PGDATA")
                .withValue(dataDirectory())
                .endEnv()
                .withVolumeMounts(server.getVolumeMounts().stream()
                        .filter(m -> VOLUME.equals(m.getName()))
                        .toList())
                .endContainer()
                .addNewVolume()
                .withName(VOLUME)
                .withNewPersistentVolumeClaim(claim, false)
                .endVolume()
                .endSpec()
                .build();
    }
}

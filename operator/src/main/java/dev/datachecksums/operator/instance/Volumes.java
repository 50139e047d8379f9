package dev.datachecksums.operator.instance;

import dev.datachecksums.operator.instance.WorkloadFacts.DataVolume;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Which container runs PostgreSQL, and which volumes its files lie on. Pure; by the pod as it runs, not by a template. */
public final class Volumes {

    /** Kind of a path that is on no volume. */
    public static final String NONE = "none";
    /** The only kind that is known to outlive the pod. */
    public static final String CLAIM = "persistentVolumeClaim";

    private Volumes() {}

    /**
     * The container that runs PostgreSQL: the one that mounts the data directory. Of several, the one whose mount is
     * nearest to it, then the one that says by its environment or its port that it is a server. Without a data directory
     * it is the only container, or the only one that says so.
     */
    static Optional<Container> container(Pod pod, Optional<String> dataDirectory) {
        List<Container> all = pod.getSpec().getContainers();
        if (dataDirectory.isPresent()) {
            String path = clean(dataDirectory.get());
            return all.stream()
                    .filter(c -> mount(c, path).filter(m -> !readOnly(m)).isPresent())
                    .max(Comparator.<Container>comparingInt(c -> mount(c, path)
                                    .map(m -> clean(m.getMountPath()).length())
                                    .orElse(0))
                            .thenComparingInt(Volumes::looksLikeServer)
                            // max() takes the last of equals: let it be the first container
                            .thenComparingInt(c -> -all.indexOf(c)));
        }
        if (all.size() == 1) {
            return Optional.of(all.get(0));
        }
        List<Container> servers =
                all.stream().filter(c -> looksLikeServer(c) > 0).toList();
        return servers.size() == 1 ? Optional.of(servers.get(0)) : Optional.empty();
    }

    /** The data directory's volume, then pg_wal's where it is another, then those of the tablespaces. */
    static List<DataVolume> of(Pod pod, Container container, Directories directories) {
        List<DataVolume> result = new ArrayList<>();
        String data = clean(directories.data());
        result.add(resolve(pod, container, data, "data directory"));
        String wal = clean(directories.wal().orElse(data + "/pg_wal"));
        if (directories.wal().isPresent()
                || !Objects.equals(
                        mount(container, wal).orElse(null),
                        mount(container, data).orElse(null))) {
            result.add(resolve(pod, container, wal, "pg_wal"));
        }
        directories.tablespaces().forEach(t -> {
            result.add(resolve(pod, container, clean(t.location()), "tablespace " + t.name()));
        });
        return List.copyOf(result);
    }

    private static DataVolume resolve(Pod pod, Container container, String path, String what) {
        Optional<VolumeMount> mount = mount(container, path);
        Optional<Volume> volume = mount.flatMap(m -> volume(pod, m.getName()));
        if (mount.isEmpty() || volume.isEmpty()) {
            return new DataVolume(
                    path, what, Optional.empty(), Optional.empty(), NONE, Optional.empty(), Optional.empty());
        }
        Optional<String> subPath = subPath(pod, container, mount.get());
        boolean unresolved = subPath.isEmpty() && notEmpty(mount.get().getSubPathExpr());
        return new DataVolume(
                path,
                what,
                Optional.of(volume.get().getName()),
                Optional.ofNullable(volume.get().getPersistentVolumeClaim()).map(c -> c.getClaimName()),
                unresolved ? kind(volume.get()) + " with a subPathExpr that cannot be resolved" : kind(volume.get()),
                Optional.of(clean(mount.get().getMountPath())),
                subPath.filter(s -> !s.isEmpty()));
    }

    /** The mount that a path of the container lies on: the longest that is a prefix of it, by whole components. */
    public static Optional<VolumeMount> mount(Container container, String path) {
        return mounts(container).stream()
                .filter(m -> contains(clean(m.getMountPath()), path))
                .max(Comparator.comparingInt(m -> clean(m.getMountPath()).length()));
    }

    /** The container's mounts. */
    public static List<VolumeMount> mounts(Container container) {
        return container.getVolumeMounts() == null ? List.of() : container.getVolumeMounts();
    }

    /** A volume of the pod by name. */
    public static Optional<Volume> volume(Pod pod, String name) {
        return pod.getSpec().getVolumes() == null
                ? Optional.empty()
                : pod.getSpec().getVolumes().stream()
                        .filter(v -> name.equals(v.getName()))
                        .findFirst();
    }

    /**
     * The mount's path inside of its volume, with the variables of a subPathExpr put in: they mean the database's pod,
     * and would mean another in the Job's. Empty string for the volume's root; empty if a variable is not known.
     */
    public static Optional<String> subPath(Pod pod, Container container, VolumeMount mount) {
        if (!notEmpty(mount.getSubPathExpr())) {
            return Optional.of(mount.getSubPath() == null ? "" : mount.getSubPath());
        }
        return Variables.expand(pod, container, mount.getSubPathExpr());
    }

    /** Kind of a volume's source, as it is called in a pod's spec. */
    static String kind(Volume v) {
        if (v.getPersistentVolumeClaim() != null) {
            return CLAIM;
        }
        record Source(String kind, Object it) {}
        return Stream.of(
                        new Source("emptyDir", v.getEmptyDir()),
                        new Source("ephemeral", v.getEphemeral()),
                        new Source("hostPath", v.getHostPath()),
                        new Source("nfs", v.getNfs()),
                        new Source("csi", v.getCsi()),
                        new Source("iscsi", v.getIscsi()),
                        new Source("fc", v.getFc()),
                        new Source("configMap", v.getConfigMap()),
                        new Source("secret", v.getSecret()),
                        new Source("projected", v.getProjected()),
                        new Source("downwardAPI", v.getDownwardAPI()),
                        new Source("image", v.getImage()))
                .filter(s -> s.it() != null)
                .map(Source::kind)
                .findFirst()
                .orElse("other");
    }

    /** Names of other pods of the namespace that use one of the claims and have not ended, sorted. */
    static List<String> otherPods(List<Pod> all, Pod ours, List<String> claims, String jobLabel) {
        return all.stream()
                .filter(p -> !Objects.equals(
                        p.getMetadata().getUid(), ours.getMetadata().getUid()))
                .filter(p -> p.getMetadata().getLabels() == null
                        || !p.getMetadata().getLabels().containsKey(jobLabel))
                .filter(p -> p.getStatus() == null
                        || !("Succeeded".equals(p.getStatus().getPhase())
                                || "Failed".equals(p.getStatus().getPhase())))
                .filter(p -> claims(p).stream().anyMatch(claims::contains))
                .map(p -> p.getMetadata().getName())
                .sorted()
                .toList();
    }

    private static List<String> claims(Pod pod) {
        return pod.getSpec().getVolumes() == null
                ? List.of()
                : pod.getSpec().getVolumes().stream()
                        .filter(v -> v.getPersistentVolumeClaim() != null)
                        .map(v -> v.getPersistentVolumeClaim().getClaimName())
                        .toList();
    }

    private static int looksLikeServer(Container c) {
        List<EnvVar> env = c.getEnv() == null ? List.of() : c.getEnv();
        if (env.stream().anyMatch(e -> "PGDATA".equals(e.getName()))) {
            return 3;
        }
        if (env.stream().anyMatch(e -> e.getName().startsWith("POSTGRES"))) {
            return 2;
        }
        List<ContainerPort> ports = c.getPorts() == null ? List.of() : c.getPorts();
        return ports.stream().anyMatch(p -> Objects.equals(p.getContainerPort(), 5432)) ? 1 : 0;
    }

    private static boolean contains(String directory, String path) {
        return path.equals(directory) || path.startsWith(directory.endsWith("/") ? directory : directory + "/");
    }

    private static boolean readOnly(VolumeMount m) {
        return Boolean.TRUE.equals(m.getReadOnly());
    }

    private static boolean notEmpty(String s) {
        return s != null && !s.isEmpty();
    }

    /** Without doubled and trailing slashes and single dots. */
    static String clean(String path) {
        String normal = Path.of(path).normalize().toString();
        return normal.isEmpty() ? "/" : normal;
    }
}

package dev.datachecksums.operator.offline;

import dev.datachecksums.operator.instance.Volumes;
import dev.datachecksums.operator.instance.WorkloadFacts.DataVolume;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The claims of a container, mounted at the same places in the Job: symbolic links (pg_wal, tablespaces) lead to the same
 * files. No secrets, no configuration, nothing that goes with the pod. Its /tmp is its own, the root is read-only. Pure.
 */
final class JobMounts {

    private static final String TMP = "dck-tmp";
    private static final Quantity TMP_LIMIT = new Quantity("64Mi");

    private final Pod pod;
    private final Container container;
    private final List<VolumeMount> originals;

    JobMounts(Pod pod, Container container, List<DataVolume> data) {
        this.pod = pod;
        this.container = container;
        Set<String> named = data.stream().flatMap(v -> v.volume().stream()).collect(Collectors.toSet());
        this.originals = Volumes.mounts(container).stream()
                .filter(m -> Volumes.volume(pod, m.getName())
                        .filter(v -> v.getPersistentVolumeClaim() != null || named.contains(v.getName()))
                        .isPresent())
                .toList();
    }

    List<VolumeMount> mounts() {
        List<VolumeMount> mounts = new ArrayList<>();
        for (VolumeMount m : originals) {
            String subPath = Volumes.subPath(pod, container, m)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "the subPathExpr of mount " + m.getMountPath() + " cannot be resolved"));
            mounts.add(new VolumeMountBuilder()
                    .withName(m.getName())
                    .withMountPath(m.getMountPath())
                    .withSubPath(subPath.isEmpty() ? null : subPath)
                    .withReadOnly(m.getReadOnly())
                    .build());
        }
        if (mounts.stream().noneMatch(m -> "/tmp".equals(m.getMountPath()))) {
            mounts.add(
                    new VolumeMountBuilder().withName(TMP).withMountPath("/tmp").build());
        }
        return mounts;
    }

    List<Volume> volumes() {
        List<Volume> volumes = originals.stream()
                .map(VolumeMount::getName)
                .distinct()
                .map(n -> Volumes.volume(pod, n).orElse(null))
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(ArrayList::new));
        volumes.add(new VolumeBuilder()
                .withName(TMP)
                .withNewEmptyDir()
                .withSizeLimit(TMP_LIMIT)
                .endEmptyDir()
                .build());
        return volumes;
    }
}

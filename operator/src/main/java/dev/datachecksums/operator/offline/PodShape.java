package dev.datachecksums.operator.offline;

import io.fabric8.kubernetes.api.model.Capabilities;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.NodeAffinityBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.SELinuxOptions;
import io.fabric8.kubernetes.api.model.SELinuxOptionsBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the Job's pod takes over from the database's pod, and what it must not. Passes PodSecurity {@code restricted}. Pure. */
final class PodShape {

    /** No mesh may put a sidecar in: it would keep the pod from ending. No autoscaler may move the pod away. */
    static final Map<String, String> ANNOTATIONS = Map.of(
            "sidecar.istio.io/inject", "false",
            "linkerd.io/inject", "disabled",
            "consul.hashicorp.com/connect-inject", "false",
            "cluster-autoscaler.kubernetes.io/safe-to-evict", "false",
            "karpenter.sh/do-not-disrupt", "true");

    /** Meshes that are told by a label. */
    private static final Map<String, String> MESH_LABELS =
            Map.of("sidecar.istio.io/inject", "false", "kuma.io/sidecar-injection", "disabled");

    /** Must outlast the script's own tries to lift, 60 s: a kill in the middle would leave the interlock. */
    private static final Duration GRACE = Duration.ofSeconds(90);

    private PodShape() {}

    /** Only labels of our own: no Service and no controller may take the pod for one of the database's. */
    static Map<String, String> labels(Map<String, String> ofJob) {
        Map<String, String> labels = new TreeMap<>(ofJob);
        labels.putAll(MESH_LABELS);
        return labels;
    }

    /** A pod's spec without containers and volumes. */
    static PodSpecBuilder like(Pod pod, Container original, JobSpec job) {
        PodSpec spec = pod.getSpec();
        PodSpecBuilder builder = new PodSpecBuilder()
                .withRestartPolicy("Never")
                .withTerminationGracePeriodSeconds(GRACE.toSeconds())
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withServiceAccountName(spec.getServiceAccountName())
                .withImagePullSecrets(spec.getImagePullSecrets())
                .withPriorityClassName(spec.getPriorityClassName())
                .withRuntimeClassName(spec.getRuntimeClassName())
                // No more than the database's own: a Job that finds its place on the node shows that the next pod will,
                // too. On a node that was cordoned or tainted meanwhile a stopped server would not come back.
                .withTolerations(spec.getTolerations())
                .withSecurityContext(security(spec, original, job));
        if (spec.getNodeName() != null) {
            // By the node's name and not by the label kubernetes.io/hostname, which may differ from it.
            builder.withNewAffinity()
                    .withNodeAffinity(new NodeAffinityBuilder()
                            .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                            .addNewNodeSelectorTerm()
                            .addNewMatchField()
                            .withKey("metadata.name")
                            .withOperator("In")
                            .withValues(spec.getNodeName())
                            .endMatchField()
                            .endNodeSelectorTerm()
                            .endRequiredDuringSchedulingIgnoredDuringExecution()
                            .build())
                    .endAffinity();
        }
        return builder;
    }

    /**
     * No fsGroup: the kubelet would walk the volume and change modes under a live server. Its group is a supplemental
     * one, which gives the same access.
     */
    private static PodSecurityContext security(PodSpec spec, Container original, JobSpec job) {
        PodSecurityContext old = spec.getSecurityContext();
        Set<Long> groups = new LinkedHashSet<>();
        if (old != null && old.getSupplementalGroups() != null) {
            groups.addAll(old.getSupplementalGroups());
        }
        if (old != null && old.getFsGroup() != null) {
            groups.add(old.getFsGroup());
        }
        return new PodSecurityContextBuilder()
                .withRunAsUser(job.uid())
                .withRunAsGroup(job.gid())
                .withRunAsNonRoot(job.uid() != 0)
                .withSupplementalGroups(List.copyOf(groups))
                .withSeLinuxOptions(seLinux(old, original.getSecurityContext(), job))
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .build();
    }

    private static @Nullable SELinuxOptions seLinux(
            @Nullable PodSecurityContext pod, @Nullable SecurityContext container, JobSpec job) {
        if (container != null && container.getSeLinuxOptions() != null) {
            return container.getSeLinuxOptions();
        }
        if (pod != null && pod.getSeLinuxOptions() != null) {
            return pod.getSeLinuxOptions();
        }
        return job.seLinuxLevel()
                .map(level -> new SELinuxOptionsBuilder().withLevel(level).build())
                .orElse(null);
    }

    static SecurityContext container(long uid) {
        return new SecurityContextBuilder()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withRunAsNonRoot(uid != 0)
                .withCapabilities(new Capabilities(null, List.of("ALL")))
                .build();
    }
}

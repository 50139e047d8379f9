package dev.datachecksums.operator.act;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.operator.instance.InstanceDriver;
import dev.datachecksums.operator.offline.JobNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimVolumeSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds held pods that no declaration is about, and Jobs of declarations that are not there any more. */
final class Orphans {

    /** Pods are read so many at a time: all of a large cluster's would be most of the heap. */
    private static final long PAGE = 100;

    private static final String ALL = "";
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final KubernetesClient client;
    private final List<String> namespaces;

    /** In these namespaces; in all, if there are none. */
    Orphans(KubernetesClient client, Set<String> namespaces) {
        this.client = client;
        this.namespaces = namespaces.isEmpty() ? List.of(ALL) : List.copyOf(namespaces);
    }

    /**
     * What there is.
     *
     * @param pods held, and of no declaration
     * @param jobs of declarations that have gone
     * @param lifts the Jobs that lift for one of the pods
     * @param working pods of the Jobs that have not ended
     */
    record Found(List<Pod> pods, List<Job> jobs, List<Job> lifts, List<Pod> working) {

        boolean nothing() {
            return pods.isEmpty() && jobs.isEmpty();
        }

        /** Whether one of the Jobs may still be at work in that namespace. */
        boolean atWork(String namespace) {
            return Stream.concat(jobs.stream(), working.stream())
                    .anyMatch(o -> o.getMetadata().getNamespace().equals(namespace));
        }

        Optional<Job> lift(Pod pod) {
            return lifts.stream().filter(j -> isLift(j, pod)).findFirst();
        }
    }

    Found find() {
        List<Pod> held = everywhere(this::held);
        List<Job> jobs = everywhere(n -> ours(client.batch().v1().jobs(), n));
        if (held.isEmpty() && jobs.isEmpty()) {
            return new Found(List.of(), List.of(), List.of(), List.of());
        }
        List<Pod> jobPods = everywhere(n -> ours(client.pods(), n));
        // Read last: a declaration is there before its Job and its hold.
        List<DataChecksums> declared = everywhere(
                n -> in(client.resources(DataChecksums.class), n).list().getItems());
        List<Pod> pods = held.stream()
                .filter(p -> declared.stream().noneMatch(d -> isAbout(d, p)))
                .toList();
        Set<String> known = Stream.concat(declared.stream(), pods.stream())
                .map(o -> o.getMetadata().getUid())
                .collect(Collectors.toSet());
        return new Found(
                pods,
                jobs.stream().filter(j -> !known.contains(of(j))).toList(),
                jobs.stream()
                        .filter(j -> pods.stream().anyMatch(p -> isLift(j, p)))
                        .toList(),
                jobPods.stream()
                        .filter(p -> !known.contains(of(p))
                                && !ENDED.contains(p.getStatus().getPhase()))
                        .toList());
    }

    /** A Job that lifts for a pod is labelled with the pod, as others are with their declaration. */
    static String nameOfLift(Pod pod) {
        return JobNames.lift("dck-orphan-" + pod.getMetadata().getUid(), 1);
    }

    private static boolean isLift(Job job, Pod pod) {
        return job.getMetadata().getNamespace().equals(pod.getMetadata().getNamespace())
                && job.getMetadata().getName().equals(nameOfLift(pod));
    }

    static boolean succeeded(Job job) {
        Integer count = job.getStatus() == null ? null : job.getStatus().getSucceeded();
        return count != null && count > 0;
    }

    /** Whether the Job works on a volume of the pod's. */
    static boolean shareVolume(Job job, Pod pod) {
        Set<String> claims = claims(pod.getSpec());
        return job.getMetadata().getNamespace().equals(pod.getMetadata().getNamespace())
                && claims(job.getSpec().getTemplate().getSpec()).stream().anyMatch(claims::contains);
    }

    private static Set<String> claims(PodSpec spec) {
        return spec.getVolumes().stream()
                .map(Volume::getPersistentVolumeClaim)
                .filter(Objects::nonNull)
                .map(PersistentVolumeClaimVolumeSource::getClaimName)
                .collect(Collectors.toSet());
    }

    /** It remembers the pod, or names what the pod is of. */
    private static boolean isAbout(DataChecksums d, Pod pod) {
        if (!d.getMetadata().getNamespace().equals(pod.getMetadata().getNamespace())) {
            return false;
        }
        ConversionStatus c = d.getStatus() == null ? null : d.getStatus().conversion();
        boolean remembers = c != null && pod.getMetadata().getUid().equals(c.podUid());
        boolean names = d.getSpec().instanceRef() != null
                && pod.getMetadata().getOwnerReferences().stream()
                        .map(OwnerReference::getName)
                        .anyMatch(d.getSpec().instanceRef().name()::equals);
        return remembers || names;
    }

    private static String of(HasMetadata ours) {
        return ours.getMetadata().getLabels().getOrDefault(JobNames.RESOURCE_UID, "");
    }

    private <T> List<T> everywhere(Function<String, List<T>> read) {
        return namespaces.stream().flatMap(n -> read.apply(n).stream()).toList();
    }

    private static <T, L, R extends Resource<T>> FilterWatchListDeletable<T, L, R> in(
            MixedOperation<T, L, R> objects, String namespace) {
        return namespace.equals(ALL) ? objects.inAnyNamespace() : objects.inNamespace(namespace);
    }

    private static <T extends HasMetadata, L extends KubernetesResourceList<T>, R extends Resource<T>> List<T> ours(
            MixedOperation<T, L, R> objects, String namespace) {
        return in(objects, namespace).withLabel(JobNames.RESOURCE_UID).list().getItems();
    }

    private List<Pod> held(String namespace) {
        List<Pod> held = new ArrayList<>();
        @Nullable String next = null;
        do {
            PodList page = in(client.pods(), namespace)
                    .list(new ListOptionsBuilder()
                            .withLimit(PAGE)
                            .withContinue(next)
                            .build());
            page.getItems().stream()
                    .filter(p -> p.getMetadata().getFinalizers().contains(InstanceDriver.HOLD))
                    .forEach(held::add);
            next = page.getMetadata().getContinue();
        } while (next != null && !next.isEmpty());
        return held;
    }
}

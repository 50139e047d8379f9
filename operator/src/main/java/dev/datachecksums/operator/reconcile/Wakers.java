package dev.datachecksums.operator.reconcile;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.offline.JobSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.ResourceCache;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What wakes the reconciler besides a change of the resource: our Jobs and their pods (found by our own label, so that
 * the informers hold nothing else), a line of a Job's log, and background work that has ended.
 */
public final class Wakers {

    private final SimpleInboundEventSource<DataChecksums> inbound = new SimpleInboundEventSource<>("wake");
    private final Map<String, ResourceID> byUid = new ConcurrentHashMap<>();
    private final CachedJobs cachedJobs = new CachedJobs();
    private volatile @Nullable ResourceCache<DataChecksums> cache;

    /** Our Jobs and their pods as the informers know them; a moment late. */
    public JobSource cachedJobs() {
        return cachedJobs;
    }

    /** Wakes the reconciler for the resource with that uid, if it is known. */
    public void wake(String uid) {
        ResourceID id = byUid.get(uid);
        if (id != null && inbound.isRunning()) {
            inbound.propagateEvent(id);
        }
    }

    /** Wakes the reconciler for that resource. */
    public void wake(String namespace, String name) {
        if (inbound.isRunning()) {
            inbound.propagateEvent(new ResourceID(name, namespace));
        }
    }

    /** Wakes the reconciler for every resource that there is. */
    public void wakeAll() {
        ResourceCache<DataChecksums> all = cache;
        if (all != null) {
            all.list()
                    .forEach(d ->
                            wake(d.getMetadata().getNamespace(), d.getMetadata().getName()));
        }
    }

    /** The uids of the resources that were looked at. */
    public Set<String> known() {
        return Set.copyOf(byUid.keySet());
    }

    void know(DataChecksums d) {
        byUid.put(d.getMetadata().getUid(), ResourceID.fromResource(d));
    }

    void forget(String uid) {
        byUid.remove(uid);
    }

    List<EventSource<?, DataChecksums>> eventSources(EventSourceContext<DataChecksums> context) {
        cache = context.getPrimaryCache();
        InformerEventSource<Job, DataChecksums> jobs = ours(Job.class, "jobs", context);
        InformerEventSource<Pod, DataChecksums> pods = ours(Pod.class, "job-pods", context);
        cachedJobs.follow(jobs, pods);
        return List.of(inbound, jobs, pods);
    }

    private <T extends HasMetadata> InformerEventSource<T, DataChecksums> ours(
            Class<T> type, String name, EventSourceContext<DataChecksums> context) {
        return new InformerEventSource<>(
                InformerEventSourceConfiguration.from(type, DataChecksums.class)
                        .withName(name)
                        .withLabelSelector(JobNames.RESOURCE_UID)
                        .withSecondaryToPrimaryMapper(this::primary)
                        .withNamespacesInheritedFromController()
                        .withComparableResourceVersion(DataChecksumsReconciler.WRITES_BY_THE_SDK)
                        .build(),
                context);
    }

    private Set<ResourceID> primary(HasMetadata ours) {
        return CachedJobs.resourceUid(ours).map(byUid::get).map(Set::of).orElse(Set.of());
    }
}

package dev.datachecksums.operator.reconcile;

import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.offline.JobSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.javaoperatorsdk.operator.api.reconciler.IndexedResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Our Jobs and their pods as the informers know them. */
final class CachedJobs implements JobSource {

    private static final String BY_RESOURCE = "by-resource";

    private volatile @Nullable IndexedResourceCache<Job> jobs;
    private volatile @Nullable IndexedResourceCache<Pod> pods;

    /** Called before the informers start: an index cannot come later. */
    void follow(IndexerResourceCache<Job> ofJobs, IndexerResourceCache<Pod> ofPods) {
        index(ofJobs);
        index(ofPods);
        jobs = ofJobs;
        pods = ofPods;
    }

    private static <T extends HasMetadata> void index(IndexerResourceCache<T> cache) {
        cache.addIndexers(Map.of(BY_RESOURCE, t -> resourceUid(t).stream().toList()));
    }

    /** Of an object of ours; somebody may have taken the label away, which the informer hears of a moment later. */
    static Optional<String> resourceUid(HasMetadata ours) {
        Map<String, String> labels = ours.getMetadata().getLabels();
        return Optional.ofNullable(labels == null ? null : labels.get(JobNames.RESOURCE_UID));
    }

    @Override
    public List<Job> jobs(String namespace, String resourceUid) {
        return of(jobs, resourceUid);
    }

    @Override
    public List<Pod> pods(String namespace, String resourceUid) {
        return of(pods, resourceUid);
    }

    private static <T extends HasMetadata> List<T> of(@Nullable IndexedResourceCache<T> cache, String resourceUid) {
        if (cache == null) {
            throw new IllegalStateException("the informers have not been made");
        }
        return cache.byIndex(BY_RESOURCE, resourceUid);
    }
}

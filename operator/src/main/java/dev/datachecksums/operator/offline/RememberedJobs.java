package dev.datachecksums.operator.offline;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.operator.offline.JobSpec.Owner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Our Jobs as they are seen, and the one of the conversion under way also when it is seen no more: its last word may be
 * the proof that the interlock is lifted, and its objects go before everybody has heard it.
 */
public final class RememberedJobs {

    private final JobObserver observer;
    private final JobObserver cached;
    private final LogFollower follower;
    private final Map<String, JobFacts> last = new ConcurrentHashMap<>();

    /**
     * Sees through the observers.
     *
     * @param observer asks the API server
     * @param cached asks a cache that follows it
     */
    public RememberedJobs(JobObserver observer, JobObserver cached, LogFollower follower) {
        this.observer = observer;
        this.cached = cached;
        this.follower = follower;
    }

    /**
     * The Jobs, the oldest first; the conversion's own as over when its objects have gone.
     *
     * @param rests no conversion is under way or about to begin: the cache will do, and spares the API server most of what
     *     a look at rest asks
     */
    public List<JobFacts> of(Owner owner, Optional<ConversionStatus> conversion, boolean rests) {
        if (conversion.isEmpty()) {
            return (rests ? cached : observer).observe(owner);
        }
        List<JobFacts> seen = observer.observe(owner);
        String id = conversion.get().id();
        Optional<JobFacts> now = seen.stream().filter(j -> j.name().equals(id)).findFirst();
        if (now.isPresent()) {
            last.put(id, now.get());
            return seen;
        }
        JobFacts before = last.get(id);
        if (before == null) {
            return seen;
        }
        List<JobFacts> all = new ArrayList<>(seen);
        all.add(0, before.gone(follower.log(before.uid())));
        return List.copyOf(all);
    }

    /** Forgets a try that has ended. */
    public void forget(String id) {
        JobFacts gone = last.remove(id);
        if (gone != null) {
            follower.forget(gone.uid());
        }
    }
}

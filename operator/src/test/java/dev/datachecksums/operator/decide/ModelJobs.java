package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The Jobs of all nodes, as the operator of the model knows them: it remembers those that it has seen. */
final class ModelJobs {

    private final List<ModelWorld> nodes;
    private final Map<String, ModelJob> seen = new HashMap<>();
    private boolean fresh = true;

    ModelJobs(List<ModelWorld> nodes) {
        this.nodes = nodes;
    }

    /** As after a start of the operator. */
    void forget() {
        seen.clear();
        fresh = true;
    }

    /**
     * What can be seen of them, and of the one under way also when it has gone.
     *
     * @param w the node that is looked at
     */
    void tell(Observations o, ModelWorld w, @Nullable ConversionStatus c) {
        boolean unread = fresh && w.chance(70);
        fresh = false;
        nodes.stream().flatMap(n -> n.jobs.stream()).forEach(j -> {
            seen.put(j.name, j);
            o.job(j.facts(unread));
        });
        ModelJob remembered = c == null ? null : seen.get(c.id());
        if (remembered != null && nodes.stream().noneMatch(n -> n.jobs.contains(remembered))) {
            o.job(remembered.facts(false));
        }
    }

    static void create(ModelWorld w, String name, boolean lift, ConversionStatus c) {
        if (w.pod != null && w.jobs.stream().noneMatch(j -> j.name.equals(name))) {
            w.jobs.add(Copy.of(c) ? new ModelCopyJob(w, name, lift) : new ModelJob(w, name, lift, c.to()));
        }
    }

    void delete(String name) {
        nodes.stream()
                .flatMap(n -> n.jobs.stream())
                .filter(j -> j.name.equals(name))
                .forEach(ModelJob::delete);
    }

    void deleteAll() {
        nodes.forEach(n -> n.jobs.forEach(ModelJob::delete));
    }
}

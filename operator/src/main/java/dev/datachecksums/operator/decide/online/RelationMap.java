package dev.datachecksums.operator.decide.online;

import dev.datachecksums.operator.postgres.online.OnlineFacts;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Worker;
import dev.datachecksums.operator.postgres.online.RelationSize;
import java.util.List;

/**
 * The relations that one worker goes through, in its order, as they were when it was first seen.
 *
 * @param workerPid whose they are: another worker has others
 */
public record RelationMap(long databaseOid, int workerPid, List<RelationSize> relations) {
    /** Copies the list. */
    public RelationMap {
        relations = List.copyOf(relations);
    }

    /** Whether it is the map of this worker. */
    public boolean of(Worker worker) {
        return databaseOid == worker.databaseOid()
                && workerPid == worker.process().pid();
    }

    long total() {
        return relations.stream().mapToLong(RelationSize::bytes).sum();
    }

    /** Bytes that the worker is through: the relations before the one it is at, and what it has done of that one. */
    long done(Worker worker) {
        int at = place(worker);
        long before =
                relations.stream().limit(at).mapToLong(RelationSize::bytes).sum();
        return worker.relation().isEmpty() || at >= relations.size()
                ? before
                : before + within(relations.get(at), worker);
    }

    /** The counter says where, unless the catalog was rearranged since: then the name says it. */
    private int place(Worker worker) {
        Long counter = worker.relationsDone();
        int counted = (int) Math.min(relations.size(), counter == null ? 0 : counter);
        if (worker.relation().isEmpty()) {
            return counted;
        }
        String name = worker.relation().get().name();
        if (counted < relations.size() && relations.get(counted).name().equals(name)) {
            return counted;
        }
        for (int i = 0; i < relations.size(); i++) {
            if (relations.get(i).name().equals(name)) {
                return i;
            }
        }
        return counted;
    }

    private static long within(RelationSize relation, Worker worker) {
        Long counter = worker.blocksDone();
        long blocks = (counter == null ? 0 : counter) * OnlineFacts.BLOCK;
        boolean main = worker.relation().filter(r -> r.main()).isPresent();
        return Math.min(relation.bytes(), main ? blocks : relation.mainBytes() + blocks);
    }
}

package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.standby.StandbyFacts;
import java.util.List;

/** Whether everything is in the WAL: unlogged tables, indexes and sequences are emptied in a standby. */
final class Unlogged implements StandbyCheck {

    @Override
    public String name() {
        return "Unlogged";
    }

    @Override
    public Finding examine(Observation o, StandbyFacts facts) {
        if (facts.unlogged().whyAbsent().isPresent()) {
            return open("Whether there are unlogged tables", facts.unlogged());
        }
        List<String> found = facts.unlogged().value().orElse(List.of());
        return found.isEmpty()
                ? pass()
                : block(
                        "There are unlogged tables, indexes or sequences, which would be emptied in the copy: "
                                + String.join(", ", found),
                        "Drop them or ALTER TABLE ... SET LOGGED (find them by relpersistence = 'u' in pg_class), or"
                                + " set policy.offline.strategy to InPlace");
    }
}

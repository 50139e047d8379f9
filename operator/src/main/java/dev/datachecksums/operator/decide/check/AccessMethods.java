package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.standby.StandbyFacts;
import java.util.ArrayList;
import java.util.List;

/** Whether all that stores data is known to write WAL: some access methods of extensions write none, or files of their own. */
final class AccessMethods implements StandbyCheck {

    @Override
    public String name() {
        return "AccessMethods";
    }

    @Override
    public Finding examine(Observation o, StandbyFacts facts) {
        if (facts.accessMethods().whyAbsent().isPresent()) {
            return open("Which access methods are in use", facts.accessMethods());
        }
        if (facts.resourceManagers().whyAbsent().isPresent()) {
            return open("Whether extensions write WAL of their own", facts.resourceManagers());
        }
        List<String> found = new ArrayList<>(facts.accessMethods().value().orElse(List.of()));
        facts.resourceManagers().value().orElse(List.of()).forEach(m -> found.add("the WAL resource manager " + m));
        facts.closedDatabases().forEach(d -> found.add("database " + d + ", which takes no connections, unseen"));
        return found.isEmpty()
                ? pass()
                : block(
                        "It is not known whether a copy would get everything through the WAL: "
                                + String.join(", ", found),
                        "Set policy.offline.strategy to InPlace, or drop what uses them and create it again"
                                + " afterwards");
    }
}

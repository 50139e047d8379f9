package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.ServerFacts.Tablespace;
import java.util.List;
import java.util.stream.Collectors;

/** Whether all data is in the data directory: tablespaces would have to be copied and exchanged too. */
final class Tablespaces implements ServerCheck {

    @Override
    public String name() {
        return "Tablespaces";
    }

    @Override
    public Finding examine(Observation o, ServerFacts server) {
        if (server.tablespaces().whyAbsent().isPresent()) {
            return unanswered(
                    server,
                    "Whether there are tablespaces",
                    server.tablespaces().whyAbsent().get());
        }
        List<Tablespace> found = server.tablespaces().value().orElse(List.of());
        return found.isEmpty()
                ? pass()
                : block(
                        "There are tablespaces, which a TemporaryStandby does not handle: "
                                + found.stream().map(Tablespace::name).collect(Collectors.joining(", ")),
                        "Set policy.offline.strategy to InPlace");
    }
}

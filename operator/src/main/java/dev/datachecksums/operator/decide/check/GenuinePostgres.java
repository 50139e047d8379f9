package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.util.Optional;

/** Whether it is PostgreSQL itself: a fork or a managed service has no files that pg_checksums could convert. */
final class GenuinePostgres implements Check {

    @Override
    public String name() {
        return "GenuinePostgres";
    }

    @Override
    public Finding examine(Observation o) {
        if (o.server() instanceof Fact.Missing<ServerFacts> m && m.reason().equals("NotPostgres")) {
            return block(m.message(), m.remedy());
        }
        Optional<String> fork = o.server().seen().flatMap(ServerFacts::forkName);
        return fork.map(f -> block(
                        "The server is " + f + ", which has no PostgreSQL data files that could be converted",
                        "Point connection.host at a PostgreSQL server, or delete this resource; " + f
                                + " checks its storage by its own means"))
                .orElseGet(this::pass);
    }
}

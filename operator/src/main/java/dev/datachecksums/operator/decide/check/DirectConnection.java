package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.util.Optional;

/** Whether we talk to the server itself: behind a pooler nobody knows which server answers next. */
final class DirectConnection implements Check {

    private static final String REMEDY =
            "Let connection.host and connection.port lead to the server itself, such as its pod or its headless Service";

    @Override
    public String name() {
        return "DirectConnection";
    }

    @Override
    public Finding examine(Observation o) {
        if (o.server() instanceof Fact.Missing<ServerFacts> m && m.reason().equals("BehindPooler")) {
            return block(m.message(), REMEDY);
        }
        Optional<String> evidence = o.server().seen().flatMap(ServerFacts::poolerEvidence);
        return evidence.map(e -> block("The connection does not lead to the server itself: " + e, REMEDY))
                .orElseGet(this::pass);
    }
}

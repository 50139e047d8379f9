package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;

/** A check of what the server says: it passes where the server could not be asked, an earlier one has said so. */
interface ServerCheck extends Check {

    /** Looks at the server's word. */
    Finding examine(Observation o, ServerFacts server);

    @Override
    default Finding examine(Observation o) {
        return o.server().seen().map(s -> examine(o, s)).orElseGet(this::pass);
    }

    /**
     * The server did not answer this one question. Of a role that is no superuser that is said elsewhere; else it may
     * answer the next time, and until then nothing is stopped.
     */
    default Finding unanswered(ServerFacts server, String question, String reason) {
        return server.superuser()
                ? waitFor(
                        question + " is not known: " + reason, "It is asked again; see the server's log if this stays")
                : pass();
    }
}

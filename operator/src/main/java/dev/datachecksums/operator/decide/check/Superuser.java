package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;

/** Whether the role may write the interlock and stop the server. */
final class Superuser implements ServerCheck {

    @Override
    public String name() {
        return "Superuser";
    }

    @Override
    public Finding examine(Observation o, ServerFacts server) {
        return server.superuser()
                ? pass()
                : block(
                        "The role of Secret "
                                + o.spec().connection().credentials().secretName()
                                + " is no superuser: it can neither see the files of the server nor stop it",
                        "Name a superuser in the Secret, or make the role one: ALTER ROLE ... SUPERUSER");
    }
}

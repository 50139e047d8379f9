package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;

/** Whether the role may call the functions: a GRANT EXECUTE is not enough for them. */
final class OnlineSuperuser implements ServerCheck {

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
                                + " is no superuser: the server lets nobody else switch its checksums, whatever was granted",
                        "Name a superuser in the Secret, or make the role one: ALTER ROLE ... SUPERUSER");
    }
}

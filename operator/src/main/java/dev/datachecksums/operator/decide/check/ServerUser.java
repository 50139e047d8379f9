package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;

/** Whether it is known as which user the server runs: the Job works as the owner of the files. */
final class ServerUser implements ServerCheck {

    @Override
    public String name() {
        return "ServerUser";
    }

    @Override
    public Finding examine(Observation o, ServerFacts server) {
        return server.superuser() && server.osUser().whyAbsent().isPresent()
                ? block(
                        "The user that the server runs as is not known: "
                                + server.osUser().whyAbsent().get(),
                        "The server must be able to read /proc/self/status: it has to run on Linux with /proc mounted")
                : pass();
    }
}

package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.AutoConf;
import dev.datachecksums.operator.postgres.ServerFacts;

/** Whether the interlock would hold: a server skips a postgresql.auto.conf that is no plain file, and would start. */
final class AutoConfIsPlain implements ServerCheck {

    private static final String WHY = ": a server might start in spite of the interlock";

    @Override
    public String name() {
        return "AutoConfIsPlain";
    }

    /** Where the server could not say, the Job looks before anything is touched. */
    @Override
    public Finding examine(Observation o, ServerFacts server) {
        return switch (server.autoConf().value().orElse(AutoConf.PLAIN)) {
            case PLAIN -> pass();
            case NOT_PLAIN ->
                block(
                        "postgresql.auto.conf is a symbolic link, or no file at all" + WHY,
                        "Make it a plain file in the data directory");
            case UNREADABLE ->
                block(
                        "The server's user cannot read postgresql.auto.conf" + WHY,
                        "Give the file to the owner of the data directory");
            case MISSING ->
                block(
                        "There is no postgresql.auto.conf in the data directory, which the interlock has to stand in",
                        "Have the server write one: ALTER SYSTEM RESET ALL");
        };
    }
}

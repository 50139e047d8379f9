package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.ServerFacts.ConfigError;
import java.util.List;
import java.util.stream.Collectors;

/** Whether the server would start again: one that only goes on because it was not restarted since is not stopped. */
final class ConfigLoads implements ServerCheck {

    @Override
    public String name() {
        return "ConfigLoads";
    }

    @Override
    public Finding examine(Observation o, ServerFacts server) {
        if (server.configErrors().whyAbsent().isPresent()) {
            return unanswered(
                    server,
                    "Whether the configuration files load",
                    server.configErrors().whyAbsent().get());
        }
        List<ConfigError> errors = server.configErrors().value().orElse(List.of());
        return errors.isEmpty()
                ? pass()
                : block(
                        "The server would not start again with its configuration files: "
                                + errors.stream().map(ConfigLoads::describe).collect(Collectors.joining("; ")),
                        "Correct them; SELECT * FROM pg_file_settings WHERE error IS NOT NULL shows what is left");
    }

    private static String describe(ConfigError e) {
        String where = e.file() == null ? "" : e.file() + " line " + e.line() + ": ";
        return where + (e.name() == null ? "" : e.name() + ": ") + e.error();
    }
}

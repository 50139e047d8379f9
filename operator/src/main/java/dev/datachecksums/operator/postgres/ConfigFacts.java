package dev.datachecksums.operator.postgres;

import dev.datachecksums.operator.postgres.ServerFacts.ConfigError;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the configuration files say that the server does not yet, or cannot; for superusers. */
final class ConfigFacts {
    private static final String INTERLOCK = "SELECT count(*) > 0 FROM pg_file_settings WHERE name = '"
            + Interlock.PARAMETER + "' AND error IS NOT NULL";

    private ConfigFacts() {}

    /** The files are read at this moment, not remembered from the last reload. */
    static boolean interlockPresent(Session session) throws SQLException {
        return session.one(INTERLOCK, row -> row.getBoolean(1));
    }

    /**
     * A change that waits for a restart is listed as an error too, but is none. Reading the files marks such settings, so they are asked
     * for afterwards.
     */
    static List<ConfigError> errors(Session session) throws SQLException {
        List<ConfigError> errors = session.all(
                """
                SELECT name, sourcefile, sourceline, error FROM pg_file_settings
                WHERE error IS NOT NULL ORDER BY seqno""", row -> new ConfigError(row.getString(1), row.getString(2), row.getInt(3), row.getString(4)));
        Set<String> waiting = new HashSet<>(
                session.all("SELECT name FROM pg_settings WHERE pending_restart", row -> row.getString(1)));
        return errors.stream()
                .filter(error -> error.name() == null
                        || !(error.name().equals(Interlock.PARAMETER) || waiting.contains(error.name())))
                .toList();
    }
}

package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;

/** Whether the version knows pg_checksums, which came with 12. */
final class SupportedVersion implements ServerCheck {

    private static final int OLDEST = 12;

    @Override
    public String name() {
        return "SupportedVersion";
    }

    @Override
    public Finding examine(Observation o, ServerFacts server) {
        return server.majorVersion() < OLDEST
                ? block(
                        "PostgreSQL " + server.serverVersion() + " is too old: pg_checksums came with " + OLDEST,
                        "Upgrade the server; pg_upgrade needs the new cluster to have the same checksums setting")
                : pass();
    }
}

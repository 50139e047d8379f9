package dev.datachecksums.operator.decide.check;

import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerFacts;

/** The upgrade gate: method Online needs functions that nearly no server has; asked of the server, never of its version. */
final class FunctionPresent implements ServerCheck {

    @Override
    public String name() {
        return "FunctionPresent";
    }

    @Override
    public Finding examine(Observation o, ServerFacts server) {
        if (o.spec().policy().method() != Method.ONLINE || server.onlineFunctions()) {
            return pass();
        }
        return block(
                "policy.method is Online, and PostgreSQL " + server.serverVersion()
                        + " has no function pg_enable_data_checksums(): it cannot be converted while it serves",
                "Set policy.method to PreferOnline or Offline to have it converted by pg_checksums while it is stopped. "
                        + upgrade(server.checksums()));
    }

    /** What a major upgrade would ask for, should somebody hope for the functions of a later version. */
    private static String upgrade(ChecksumState now) {
        String initdb = switch (now) {
            case ON -> "needs initdb --data-checksums (the default from 18 on), because checksums are on";
            case OFF ->
                "needs initdb --no-data-checksums (from 18 on, where the default is on; before 18 no option), because checksums are off";
            case INPROGRESS_ON, INPROGRESS_OFF, UNKNOWN -> "has to wait until the checksums are settled";
        };
        return "An upgrade by pg_upgrade " + initdb + ", and must not run during a conversion";
    }
}

package dev.datachecksums.operator.decide;

import dev.datachecksums.operator.observe.Observation;

/** One named question of the gate: pure, small, asked in order. */
public interface Check {

    /** The name as it stands in status.blockers and in the runbook. */
    String name();

    /** Looks at an observation. A check whose facts are missing passes: an earlier check has said what is missing. */
    Finding examine(Observation o);

    /** It passes. */
    default Finding pass() {
        return new Finding.Pass(name());
    }

    /** Not now. */
    default Finding waitFor(String message, String remedy) {
        return new Finding.Wait(name(), message, remedy);
    }

    /** No. */
    default Finding block(String message, String remedy) {
        return new Finding.Block(name(), message, remedy);
    }
}

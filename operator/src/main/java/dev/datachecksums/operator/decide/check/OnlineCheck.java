package dev.datachecksums.operator.decide.check;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.OnlineView;

/**
 * A check of what a run that enables needs. It passes where the server could not be asked, which another check says, and where a run is
 * under way already: it is past its beginning.
 */
interface OnlineCheck extends Check {

    /** Looks at the server's word. */
    Finding examine(Observation o, OnlineView view);

    @Override
    default Finding examine(Observation o) {
        return o.online()
                .seen()
                .filter(v -> o.spec().state() == DesiredState.ENABLED)
                .filter(v -> v.facts().progress().launcher().isEmpty())
                .map(v -> examine(o, v))
                .orElseGet(this::pass);
    }
}

package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;

/** Whether the operator may do in this namespace what the offline road needs. */
final class Permissions implements Check {

    @Override
    public String name() {
        return "Permissions";
    }

    @Override
    public Finding examine(Observation o) {
        return o.forbidden().isEmpty()
                ? pass()
                : block(
                        "The operator may not " + String.join(", ", o.forbidden()) + " in namespace "
                                + o.resource().namespace(),
                        "Add the missing verbs to the operator's Role; the installation's manifests have all of them");
    }
}

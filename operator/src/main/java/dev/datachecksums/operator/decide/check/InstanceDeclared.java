package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;

/** Whether there is a workload that could be stopped: an external server can only be converted online. */
final class InstanceDeclared implements Check {

    @Override
    public String name() {
        return "InstanceDeclared";
    }

    @Override
    public Finding examine(Observation o) {
        return o.spec().instanceRef() == null
                ? block(
                        "There is no instanceRef: a server that the operator cannot stop, and whose volume it cannot reach, can only be converted online",
                        "Delete this resource (the server keeps its state) and create one with instanceRef, or run pg_checksums there by hand")
                : pass();
    }
}

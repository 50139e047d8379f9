package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.observe.Observation;

/** Whether it is known which container runs PostgreSQL: the Job takes its image and mounts. */
final class ContainerKnown implements WorkloadCheck {

    @Override
    public String name() {
        return "ContainerKnown";
    }

    @Override
    public Finding examine(Observation o, WorkloadFacts workload) {
        if (workload.unknownContainer().isPresent()) {
            return block(
                    "instanceRef.container is " + workload.unknownContainer().get()
                            + ", and the pod has no such container",
                    "instanceRef is immutable: delete this resource (the server keeps its state) and create one with the right container");
        }
        return workload.pod().isPresent() && workload.container().isEmpty()
                ? block(
                        "No container of the pod mounts the data directory of the server"
                                + o.server()
                                        .seen()
                                        .flatMap(s -> s.dataDirectory().value())
                                        .map(d -> " (" + d + ")")
                                        .orElse(""),
                        "If connection.host leads to another server, correct it; else name the container: delete this resource and create one with instanceRef.container")
                : pass();
    }
}

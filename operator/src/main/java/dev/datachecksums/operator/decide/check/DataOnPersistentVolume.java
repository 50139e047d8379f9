package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.DataVolume;
import dev.datachecksums.operator.observe.Observation;
import java.util.List;

/** Whether the data outlives the pod: deleting it must not delete a file of the server. */
final class DataOnPersistentVolume implements WorkloadCheck {

    @Override
    public String name() {
        return "DataOnPersistentVolume";
    }

    @Override
    public Finding examine(Observation o, WorkloadFacts workload) {
        if (workload.pod().isEmpty()
                || workload.container().isEmpty()
                || o.server().seen().isEmpty()) {
            return pass();
        }
        if (workload.volumes().isEmpty()) {
            return o.server().seen().get().superuser()
                    ? block(
                            "The server does not say where its data directory is, so that nobody knows on which volume it lies",
                            "See that the role may read the setting data_directory")
                    : pass();
        }
        List<String> lost = workload.volumes().stream()
                .filter(v -> v.claim().isEmpty())
                .map(DataOnPersistentVolume::describe)
                .toList();
        return lost.isEmpty()
                ? pass()
                : block(
                        "These would be lost with the pod, or cannot be mounted by a Job: " + String.join("; ", lost),
                        "Move them to a PersistentVolumeClaim");
    }

    private static String describe(DataVolume v) {
        return "the " + v.what() + " " + v.directory() + " is on "
                + v.volume()
                        .map(name -> "volume " + name + " (" + v.kind() + ")")
                        .orElse("no volume but in the container's own file system");
    }
}

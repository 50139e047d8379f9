package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.observe.Observation;

/** Whether pg_wal can be renamed: the second interlock is that it is away. A volume mounted on it cannot be. */
final class WalIsMountPoint implements WorkloadCheck {

    @Override
    public String name() {
        return "WalIsMountPoint";
    }

    @Override
    public Finding examine(Observation o, WorkloadFacts workload) {
        return workload.volumes().stream()
                .filter(v -> v.mountPath().filter(v.directory()::equals).isPresent()
                        && v.directory().endsWith("/pg_wal"))
                .findFirst()
                .map(v -> block(
                        "Volume " + v.volume().orElse("") + " is mounted on " + v.directory()
                                + ", which therefore cannot be renamed while the server is stopped",
                        "Mount that volume elsewhere, and make pg_wal a symbolic link to it"))
                .orElseGet(this::pass);
    }
}

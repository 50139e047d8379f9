package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.online.ReplicaLimit;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.OnlineView;
import dev.datachecksums.operator.postgres.online.Replica;
import java.util.List;

/** Whether replicas keep up already before a run adds its WAL. */
final class ReplicaLag implements OnlineCheck {

    @Override
    public String name() {
        return "ReplicaLag";
    }

    @Override
    public Finding examine(Observation o, OnlineView view) {
        Long bytes = ReplicaLimit.bytes(o.spec().policy().online());
        if (bytes == null) {
            return pass();
        }
        List<String> behind = view.facts().replicas().stream()
                .filter(r -> !r.backup() && r.lagBytes() != null && r.lagBytes() > bytes)
                .map(ReplicaLag::words)
                .toList();
        return behind.isEmpty()
                ? pass()
                : waitFor(
                        "Replicas are further behind than maxReplicaLag ("
                                + o.spec().policy().online().maxReplicaLag() + ") before the run has begun: "
                                + String.join(", ", behind),
                        "It begins when they have caught up");
    }

    private static String words(Replica r) {
        return r.application() + " by " + r.lagBytes() + " bytes";
    }
}

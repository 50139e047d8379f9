package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerFacts.RunningBackup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can be seen of the model's world. */
final class ModelView {

    private ModelView() {}

    /**
     * A single node.
     *
     * @param converting whether a conversion of it is under way
     */
    static void tell(Observations o, ModelWorld w, boolean converting) {
        ModelWorld.Pod pod = w.pod;
        if (w.apiDown) {
            o.workloadMissing("ApiUnavailable");
        } else if (!w.workload) {
            o.workloadMissing("WorkloadNotFound");
        } else {
            o.workload(facts -> workload(w, facts, pod));
        }
        boolean still = converting
                && !w.apiDown
                && w.workload
                && (pod == null || pod.deleting != null || pod.container == ModelWorld.Container.ENDED);
        if (still) {
            o.serverMissing(Observation.STOPPED);
        } else if (w.secretMissing) {
            o.serverMissing("SecretNotFound");
        } else if (w.serving() && !w.unreachable) {
            o.server(s -> server(w, s));
        } else {
            o.serverMissing("Unreachable");
        }
    }

    static void workload(ModelWorld w, Workloads facts, ModelWorld.@Nullable Pod pod) {
        facts.named(w.name).replicas(w.replicas);
        if (w.deployment) {
            facts.kind("Deployment").named(pod == null ? w.name : pod.uid);
        }
        if (pod == null) {
            facts.noPod();
            return;
        }
        facts.uid(pod.uid).created(pod.created);
        if (pod.container != ModelWorld.Container.SERVING) {
            facts.notReady();
        }
        if (pod.held) {
            facts.held();
        }
        if (pod.deleting != null) {
            facts.deleting(pod.deleting);
        }
        if (pod.container == ModelWorld.Container.ENDED && pod.deleting != null) {
            facts.ended();
        }
        if (pod.restarts > 0) {
            facts.restarted();
            if (pod.metAnInterlock && pod.container != ModelWorld.Container.SERVING) {
                facts.interlockInLog();
            }
        }
    }

    static void server(ModelWorld w, Servers s) {
        s.observedAt(w.now)
                .checksums(w.is(DesiredState.ENABLED) ? ChecksumState.ON : ChecksumState.OFF)
                .started(w.postmasterStart)
                .standbySlot(w.slot)
                .copyDirectory(w.copy)
                .interlock(w.chance(5) ? Answer.absent("took 10 s") : Answer.given(w.line));
        if (w.backup) {
            s.backups(Answer.given(List.of(new RunningBackup(1, "pg_basebackup", "streaming"))));
        }
    }

    /** What a conversion remembers, a little further on. */
    static ConversionStatus with(ConversionStatus c, @Nullable String stopped, @Nullable String givingUp) {
        return new ConversionStatus(
                c.id(),
                c.to(),
                c.method(),
                c.started(),
                c.pod(),
                c.podUid(),
                c.bytes(),
                stopped,
                c.restored(),
                givingUp);
    }
}

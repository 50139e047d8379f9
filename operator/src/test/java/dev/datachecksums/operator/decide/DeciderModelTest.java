package dev.datachecksums.operator.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.api.v1alpha1.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Thousands of random stories in a small model of the world, driven by the real decisions: Jobs are killed, pods are
 * deleted, the specification is changed, the operator dies between any two steps. Whatever happens, no pod is released
 * and no try is over while an interlock stands, Ready is never true while the server says otherwise, pg_checksums never
 * works beside a postmaster, and once it is quiet everything comes to rest with the server serving.
 */
class DeciderModelTest {

    /** Others, and more of them, by {@code -Ddck.seed=20000 -Ddck.stories=5000}. */
    private static final long FIRST = Long.getLong("dck.seed", 1);

    private static final int STORIES = Integer.getInteger("dck.stories", 3000);
    private static final int QUIET_STEPS = 4000;
    /** Lift Jobs that could not lift so far are up to five minutes apart. */
    private static final Duration SERVICE_WITHIN = Duration.ofMinutes(10);

    @Test
    void everyStoryEndsWell() {
        Map<Phase, Integer> ends = new EnumMap<>(Phase.class);
        int begun = 0;
        for (long seed = FIRST; seed < FIRST + STORIES; seed++) {
            try {
                ModelOperator op = story(seed);
                begun += op.begun;
                if (op.status.phase() != null) {
                    ends.merge(op.status.phase(), 1, Integer::sum);
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("story " + seed + ": " + e.getMessage(), e);
            }
        }
        // The stories are about something: conversions were begun, most end well, and some run out of tries.
        assertThat(begun).isGreaterThan(STORIES);
        assertThat(ends.get(Phase.CONVERGED)).isGreaterThan(STORIES / 2);
        assertThat(ends).containsKeys(Phase.FAILED, Phase.SUSPENDED);
    }

    private static ModelOperator story(long seed) {
        ModelWorld w = new ModelWorld(seed);
        w.deployment = seed % 3 == 0;
        ModelOperator op = new ModelOperator(w);
        op.strategy = seed % 2 == 0 ? OfflineStrategy.TEMPORARY_STANDBY : OfflineStrategy.IN_PLACE;
        int trouble = w.random.nextInt(60);
        op.killPercent = w.random.nextInt(3) == 0 ? 10 : 0;
        for (int i = 0; i < 40 + 5 * trouble; i++) {
            w.step();
            if (i > 10 && w.random.nextInt(300) < trouble) {
                disturb(w, op);
            }
            if (w.chance(80)) {
                op.reconcile();
            }
        }
        quiet(w, op);
        return op;
    }

    private static void disturb(ModelWorld w, ModelOperator op) {
        int what = w.random.nextInt(22);
        w.tell("disturbance " + what);
        switch (what) {
            case 0 -> op.kill();
            case 1 -> w.jobs.forEach(ModelJob::kill);
            case 2 -> w.jobs.forEach(ModelJob::delete);
            case 3 -> w.deletePod(Duration.ofSeconds(30));
            case 4 -> w.killPostmaster();
            case 5 -> {
                op.declared = op.declared == DesiredState.ENABLED ? DesiredState.DISABLED : DesiredState.ENABLED;
                op.generation++;
            }
            case 6 -> {
                op.suspended = !op.suspended;
                op.generation++;
            }
            case 7 -> w.apiDown = !w.apiDown;
            case 8 -> w.unreachable = !w.unreachable;
            case 9 -> w.backup = !w.backup;
            case 10 -> w.scriptFails = !w.scriptFails;
            case 11 -> w.liftFails = !w.liftFails;
            case 12 -> w.nodeFull = !w.nodeFull;
            case 13 -> w.replicas = 1 - w.replicas;
            case 14 -> w.line = false;
            case 15 -> {
                op.looks = op.finalizer && !op.deleting ? 0 : op.looks;
                op.finalizer &= op.deleting;
            }
            case 16 -> {
                if (w.chance(20) && (op.finalizer || op.looks > 12)) {
                    op.deleting = true;
                    op.gone = !op.finalizer;
                }
            }
            case 17 -> {
                if (w.chance(30) && w.workload) {
                    op.status = DataChecksumsStatus.EMPTY;
                    op.wiped = true;
                }
            }
            case 18 -> {
                op.strategy = op.strategy == OfflineStrategy.IN_PLACE
                        ? OfflineStrategy.TEMPORARY_STANDBY
                        : OfflineStrategy.IN_PLACE;
                op.generation++;
            }
            case 19 -> {
                op.method = op.method == Method.ONLINE ? Method.PREFER_ONLINE : Method.ONLINE;
                op.generation++;
            }
            case 20 -> w.secretMissing = !w.secretMissing;
            default -> {
                if (w.chance(10) && !op.deleting && !op.wiped) {
                    w.workload = false;
                    w.deletePod(Duration.ofSeconds(30));
                }
            }
        }
    }

    private static void quiet(ModelWorld w, ModelOperator op) {
        w.tell("quiet");
        w.apiDown = false;
        w.unreachable = false;
        w.backup = false;
        w.scriptFails &= w.chance(50);
        w.liftFails = false;
        w.nodeFull = false;
        w.replicas = 1;
        op.killPercent = 0;
        op.method = Method.PREFER_ONLINE;
        Instant limit = w.now.plus(SERVICE_WITHIN);
        boolean served = !w.workload;
        for (int i = 0; i < QUIET_STEPS; i++) {
            w.step();
            op.reconcile();
            served |= w.serving() && w.pod != null && w.pod.deleting == null;
            if (w.secretMissing && w.now.isAfter(limit)) {
                // An operator that may not ask a server brings it back into service all the same.
                w.violation(w.workload && !w.serving(), "down for want of a Secret");
                w.secretMissing = false;
            }
            w.violation(!served && w.now.isAfter(limit), "no service within " + SERVICE_WITHIN);
            if (atRest(w, op)) {
                return;
            }
        }
        w.violation(true, "no rest: " + op.status.phase() + " " + op.status.conversion() + " gone=" + op.gone);
    }

    private static boolean atRest(ModelWorld w, ModelOperator op) {
        boolean clean = w.jobs.isEmpty() && !op.finalizer && !w.line && !w.walAway;
        // Of a resource that is gone nobody looks after what could not be removed in time.
        clean &= op.gone || (!w.copy && !w.slot);
        boolean serves = w.serving() && w.pod != null && !w.pod.held && w.pod.deleting == null;
        if (!w.workload) {
            return w.pod == null && (op.gone || op.status.conversion() == null);
        }
        if (!clean || !serves) {
            return false;
        }
        if (op.gone) {
            return true;
        }
        Phase phase = op.status.phase();
        return op.status.conversion() == null
                && (phase == Phase.CONVERGED || phase == Phase.FAILED || phase == Phase.SUSPENDED);
    }
}

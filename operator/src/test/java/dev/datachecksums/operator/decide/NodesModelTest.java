package dev.datachecksums.operator.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.api.v1alpha1.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * As {@link DeciderModelTest}, with a primary and two standbys: whatever happens to any of them, the primary is stopped only when
 * the others have the new state, nothing is Ready before all have it, and in the end every node serves.
 */
class NodesModelTest {

    private static final int STORIES = 500;
    private static final int QUIET_STEPS = 6000;
    private static final int NODES = 3;
    private static final Duration SERVICE_WITHIN = Duration.ofMinutes(10);

    @Test
    void everyStoryEndsWell() {
        int converged = 0;
        int failed = 0;
        int begun = 0;
        for (long seed = 1; seed <= STORIES; seed++) {
            try {
                ModelOperator op = new Story(seed).tell();
                begun += op.begun;
                converged += op.status.phase() == Phase.CONVERGED ? 1 : 0;
                failed += op.status.phase() == Phase.FAILED ? 1 : 0;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("story " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(begun).isGreaterThan(NODES * STORIES);
        assertThat(converged).isGreaterThan(STORIES / 4);
        assertThat(failed).isPositive();
    }

    private static final class Story {
        private final Random random;
        private final List<ModelWorld> nodes = new ArrayList<>();
        private final ModelOperator op;

        Story(long seed) {
            random = new Random(seed);
            for (int n = 0; n < NODES; n++) {
                nodes.add(new ModelWorld(seed * NODES + n, "orders-db-" + n, n > 0));
                nodes.get(n).story = nodes.get(0).story;
            }
            op = new ModelOperator(nodes);
            op.strategy = OfflineStrategy.AUTO;
        }

        ModelOperator tell() {
            int trouble = random.nextInt(60);
            op.killPercent = random.nextInt(3) == 0 ? 5 : 0;
            for (int i = 0; i < 100 + 8 * trouble; i++) {
                step();
                if (i > 10 && random.nextInt(300) < trouble) {
                    disturb(nodes.get(random.nextInt(NODES)));
                }
                if (random.nextInt(10) < 8) {
                    op.reconcile();
                }
            }
            quiet();
            return op;
        }

        private void step() {
            Duration time = Duration.ofMillis(100L + random.nextInt(random.nextInt(20) == 0 ? 20_000 : 1500));
            nodes.forEach(n -> n.step(time));
        }

        private void disturb(ModelWorld w) {
            int what = random.nextInt(17);
            w.tell("disturbance " + what + " of " + w.name);
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
                case 7 -> nodes.forEach(n -> n.apiDown = !n.apiDown);
                case 8 -> w.unreachable = !w.unreachable;
                case 9 -> w.backup = !w.backup;
                case 10 -> w.scriptFails = !w.scriptFails;
                case 11 -> w.liftFails = !w.liftFails;
                case 12 -> w.nodeFull = !w.nodeFull;
                case 13 -> scale(random.nextInt(NODES + 1));
                case 14 -> w.line = false;
                case 15 -> {
                    op.looks = op.finalizer && !op.deleting ? 0 : op.looks;
                    op.finalizer &= op.deleting;
                }
                default -> {
                    if (random.nextInt(100) < 20 && !op.wiped && (op.finalizer || op.looks > 12)) {
                        op.deleting = true;
                        op.gone = !op.finalizer;
                    } else if (random.nextInt(100) < 30 && !op.deleting && !op.scaled) {
                        // With neither memory nor pod nor a later look nobody could know of a node's volume.
                        op.status = DataChecksumsStatus.EMPTY;
                        op.wiped = true;
                    }
                }
            }
        }

        /** The controller deletes what is too much. */
        private void scale(int replicas) {
            op.scaled = true;
            for (int n = 0; n < NODES; n++) {
                nodes.get(n).replicas = n < replicas ? 1 : 0;
                if (n >= replicas) {
                    nodes.get(n).deletePod(Duration.ofSeconds(30));
                }
            }
        }

        private void quiet() {
            ModelWorld w = nodes.get(0);
            w.tell("quiet");
            for (ModelWorld n : nodes) {
                n.apiDown = false;
                n.unreachable = false;
                n.backup = false;
                n.scriptFails &= n.chance(50);
                n.liftFails = false;
                n.nodeFull = false;
                n.replicas = 1;
            }
            op.killPercent = 0;
            Instant limit = w.now.plus(SERVICE_WITHIN);
            boolean served = false;
            for (int i = 0; i < QUIET_STEPS; i++) {
                step();
                op.reconcile();
                served |= nodes.stream().allMatch(Story::serves);
                w.violation(!served && w.now.isAfter(limit), "not all serve within " + SERVICE_WITHIN);
                if (atRest()) {
                    return;
                }
            }
            w.violation(true, "no rest: " + op.status.phase() + " " + op.status.conversion() + " gone=" + op.gone);
        }

        private static boolean serves(ModelWorld w) {
            return w.serving() && w.pod != null && !w.pod.held && w.pod.deleting == null;
        }

        private boolean atRest() {
            boolean clean = nodes.stream().allMatch(n -> serves(n) && n.jobs.isEmpty() && !n.line && !n.walAway);
            if (!clean || op.finalizer) {
                return false;
            }
            Phase phase = op.status.phase();
            return op.gone
                    || (op.status.conversion() == null
                            && (phase == Phase.CONVERGED || phase == Phase.FAILED || phase == Phase.SUSPENDED));
        }
    }
}

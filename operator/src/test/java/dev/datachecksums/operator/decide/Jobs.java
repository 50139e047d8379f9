package dev.datachecksums.operator.decide;

import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobFacts.JobPod;
import dev.datachecksums.operator.offline.JobLog;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.offline.Step;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds one of our Jobs. By default: the Job of the try, created nine seconds ago, running, and silent. */
public final class Jobs {

    private enum Pod {
        NONE,
        PENDING,
        RUNNING,
        ENDED
    }

    private final String name;
    private final boolean lift;
    private Instant created = Observations.NOW.minusSeconds(9);
    private @Nullable Instant asked;
    private boolean deleting;
    private Pod pod = Pod.RUNNING;
    private int exit;
    private @Nullable String problem;
    private boolean finished;
    private final Map<Step, Instant> steps = new EnumMap<>(Step.class);
    private @Nullable Step last;
    private Instant clock = Observations.NOW.minusSeconds(8);
    private JobLog.@Nullable Ready ready;
    private @Nullable String reason;
    private @Nullable Boolean lifted;

    private Jobs(String name, boolean lift) {
        this.name = name;
        this.lift = lift;
    }

    /** The Job of the try. */
    public static Jobs convert() {
        return new Jobs(Observations.TRY, false);
    }

    /** Another Job that converts. */
    public static Jobs convert(String name) {
        return new Jobs(name, false);
    }

    /** The n-th lift Job of the try. */
    public static Jobs lift(int n) {
        return new Jobs(JobNames.lift(Observations.TRY, n), true);
    }

    /** A lift Job of some other try. */
    public static Jobs lift(String ofTry, int n) {
        return new Jobs(JobNames.lift(ofTry, n), true);
    }

    public Jobs created(Instant t) {
        this.created = t;
        this.clock = t.plusSeconds(1);
        return this;
    }

    /** By the operator's clock, where that is another than the API server's. */
    public Jobs asked(Instant t) {
        this.asked = t;
        return this;
    }

    public Jobs deleting() {
        this.deleting = true;
        return this;
    }

    public Jobs noPod() {
        this.pod = Pod.NONE;
        return this;
    }

    public Jobs pending() {
        this.pod = Pod.PENDING;
        return this;
    }

    public Jobs ended(int exitCode) {
        this.pod = Pod.ENDED;
        this.exit = exitCode;
        return this;
    }

    public Jobs problem(String words) {
        this.problem = words;
        return this;
    }

    /** Condition Complete or Failed. */
    public Jobs finished() {
        this.finished = true;
        return this;
    }

    /** Its script has said these steps, a second apart; with READY it names the default server. */
    public Jobs said(Step... all) {
        for (Step s : all) {
            steps.put(s, clock);
            last = s;
            clock = clock.plusSeconds(1);
            if (s == Step.READY) {
                ready = new JobLog.Ready(Servers.SYSTEM, Servers.STARTED);
            }
        }
        return this;
    }

    public Jobs ready(String systemIdentifier, Instant postmasterStart) {
        said(Step.READY);
        ready = new JobLog.Ready(systemIdentifier, postmasterStart);
        return this;
    }

    /** Its script failed for this reason, and said whether it has lifted. */
    public Jobs failed(String why, boolean andLifted) {
        said(Step.FAILED);
        reason = why;
        lifted = andLifted;
        return ended(1);
    }

    /** The facts. */
    public JobFacts build() {
        return new JobFacts(
                name,
                "uid-" + name,
                lift,
                created,
                asked == null ? created : asked,
                deleting,
                pod == Pod.NONE
                        ? Optional.empty()
                        : Optional.of(new JobPod(
                                name + "-x",
                                "uid-pod-" + name,
                                pod == Pod.RUNNING,
                                pod == Pod.ENDED,
                                pod == Pod.ENDED ? Optional.of(exit) : Optional.empty(),
                                deleting)),
                Optional.ofNullable(problem),
                finished,
                new JobLog(
                        steps,
                        Optional.ofNullable(last),
                        Optional.ofNullable(ready),
                        0,
                        0,
                        Optional.ofNullable(reason),
                        Optional.ofNullable(reason).map(r -> "message of " + r),
                        Optional.ofNullable(lifted)));
    }
}

package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.DesiredState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A small model of the world: a StatefulSet or a Deployment of one pod, a server on a volume with its two interlocks, our Jobs. It
 * knows what the operator can only conclude, and complains when something is done that the truth does not allow.
 */
final class ModelWorld {

    /** Where the container of the pod stands. */
    enum Container {
        STARTING,
        SERVING,
        SHUTTING_DOWN,
        BACK_OFF,
        ENDED
    }

    /** The pod that holds the data. */
    static final class Pod {
        final String uid;
        final Instant created;
        Container container = Container.STARTING;
        boolean held;

        @Nullable
        Instant deleting;

        Instant graceEnds = Instant.MAX;
        int restarts;
        boolean metAnInterlock;
        Instant backOffEnds = Instant.EPOCH;

        Pod(String uid, Instant created) {
            this.uid = uid;
            this.created = created;
        }
    }

    final Random random;
    Instant now = Observations.NOW;
    final Duration skew;
    private final boolean deafImage;

    // the volume
    DesiredState checksums = DesiredState.DISABLED;
    boolean line;
    boolean walAway;
    /** Away to where only the script of a copy looks for it. */
    boolean walInCopy;

    boolean clean = true;
    /** A copy of the data directory, or what was the data directory before a copy took its place. */
    boolean copy;

    boolean slot;
    boolean servedSinceSwap = true;

    // the cluster
    boolean workload = true;
    int replicas = 1;

    /** The one that is there or, of a Deployment, is to stay. */
    @Nullable
    Pod pod;

    /** Pods of a Deployment that are going, and whose next one is there already. */
    final List<Pod> going = new ArrayList<>();

    private int pods;
    Instant postmasterStart = Instant.EPOCH;
    final List<ModelJob> jobs = new ArrayList<>();

    // what may be wrong for a while
    boolean apiDown;
    boolean unreachable;
    boolean backup;
    boolean scriptFails;
    boolean liftFails;
    boolean nodeFull;
    /** The declaration names a Secret that is not there: the server cannot be asked, and no Job gets its password. */
    boolean secretMissing;

    List<String> story = new ArrayList<>();

    /** Name of the pod, and so of the node. */
    final String name;

    final boolean standby;

    /** Its controller makes the next pod as soon as one is marked for deletion, held or not. */
    boolean deployment;

    ModelWorld(long seed) {
        this(seed, Workloads.POD, false);
    }

    /** One of several nodes. */
    ModelWorld(long seed, String name, boolean standby) {
        random = new Random(seed);
        this.name = name;
        this.standby = standby;
        skew = Duration.ofMillis(
                random.nextInt(4) == 0 ? random.nextInt(240_000) - 120_000 : random.nextInt(400) - 200);
        deafImage = random.nextInt(3) == 0;
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    void tell(String what) {
        story.add(now + " " + what);
    }

    void violation(boolean broken, String what) {
        if (broken) {
            throw new AssertionError(what + "\n"
                    + String.join("\n", story.subList(Math.max(0, story.size() - 120), story.size())));
        }
    }

    /** Now neither interlock may stand, and no Job be at work. */
    void lifted(String when) {
        violation(line || walAway, when + ", and an interlock stands");
        violation(
                jobs.stream().anyMatch(j -> j.at == ModelJob.Script.STOPPED || j.at == ModelJob.Script.REWRITING),
                when + ", and a Job is at work");
    }

    boolean is(DesiredState s) {
        return checksums == s;
    }

    boolean serving() {
        return pod != null && pod.container == Container.SERVING;
    }

    /** Whether a server serves, be it one of a pod that is going. */
    boolean anyServes() {
        return serving() || going.stream().anyMatch(p -> p.container == Container.SERVING);
    }

    /** Serving, or shutting down: its pid file is there. */
    boolean postmasterUp() {
        return (pod != null && up(pod)) || going.stream().anyMatch(ModelWorld::up);
    }

    private static boolean up(Pod p) {
        return p.container == Container.SERVING || p.container == Container.SHUTTING_DOWN;
    }

    /** Time passes, and everything but the operator takes a step. */
    void step() {
        step(time());
    }

    /** A while. */
    Duration time() {
        return Duration.ofMillis(100L + random.nextInt(chance(5) ? 20_000 : 1500));
    }

    /** As much time. */
    void step(Duration time) {
        now = now.plus(time);
        for (ModelJob j : List.copyOf(jobs)) {
            if (chance(70)) {
                String before = j.at + "/" + j.pod;
                j.step();
                if (!before.equals(j.at + "/" + j.pod)) {
                    tell("  " + j.name + " " + before + " -> " + j.at + "/" + j.pod + " line=" + line + " walAway="
                            + walAway);
                }
            }
        }
        jobs.removeIf(j -> !j.object && !j.pod);
        if (chance(80)) {
            stepPod();
        }
    }

    private void stepPod() {
        for (Pod p : List.copyOf(going)) {
            going.removeIf(g -> g == p && step(p));
        }
        Pod p = pod;
        if (deployment && p != null && p.deleting != null && workload && replicas > 0) {
            going.add(p);
            p = null;
        }
        if (p != null) {
            pod = step(p) ? null : p;
        } else if (workload && replicas > 0) {
            pod = new Pod("uid-pod-" + name + "-" + ++pods, now);
            tell("  new pod " + pod.uid);
        } else {
            pod = null;
        }
    }

    /** Whether its object has gone. */
    private boolean step(Pod p) {
        boolean gone = false;
        Container before = p.container;
        switch (p.container) {
            case STARTING -> {
                if (p.deleting != null) {
                    p.container = Container.ENDED;
                } else {
                    startServer(p);
                }
            }
            case SERVING -> {
                if (p.deleting != null && (!deafImage || now.isAfter(p.graceEnds))) {
                    p.container = Container.SHUTTING_DOWN;
                }
            }
            case SHUTTING_DOWN -> p.container = Container.ENDED;
            case BACK_OFF -> {
                if (p.deleting != null) {
                    p.container = Container.ENDED;
                } else if (now.isAfter(p.backOffEnds)) {
                    p.container = Container.STARTING;
                }
            }
            case ENDED -> {
                if (p.deleting == null) {
                    p.container = Container.STARTING;
                    p.restarts++;
                } else {
                    gone = !p.held;
                }
            }
        }
        if (before != p.container || gone) {
            tell("  " + p.uid + " " + before + " -> " + (gone ? "gone" : p.container));
        }
        return gone;
    }

    private void startServer(Pod p) {
        if (line || walAway) {
            p.restarts++;
            p.metAnInterlock = true;
            p.container = Container.BACK_OFF;
            p.backOffEnds = now.plusSeconds(Math.min(300, 5L << Math.min(6, p.restarts)));
        } else if (going.stream().noneMatch(ModelWorld::up)) {
            // Nothing in Kubernetes makes it wait for the other to end; the model spares it what that would do to the
            // data.
            violation(
                    jobs.stream().anyMatch(j -> j.at == ModelJob.Script.REWRITING),
                    "a server starts while pg_checksums works");
            p.container = Container.SERVING;
            servedSinceSwap = true;
            // by the clock of the node, as the Job's words are
            postmasterStart = now.plus(skew);
            clean = true;
        }
    }

    /** Marks the pod for deletion. */
    void deletePod(Duration grace) {
        Pod p = pod;
        if (p != null) {
            p.deleting = p.deleting == null ? now : p.deleting;
            Instant ends = now.plus(grace);
            p.graceEnds = ends.isBefore(p.graceEnds) ? ends : p.graceEnds;
        }
    }

    /** Kills the postmaster: the container is restarted in place unless the pod is going. */
    void killPostmaster() {
        Pod p = pod;
        if (p != null && postmasterUp()) {
            clean = false;
            p.container = Container.ENDED;
        }
    }
}

package dev.datachecksums.operator.instance;

import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.postgres.ServerFacts;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The workload that runs the instance, as its driver sees it.
 *
 * @param kind of the workload: StatefulSet or Deployment
 * @param replicas wanted pods
 * @param pod the pod that holds the data; empty while there is none
 * @param pendingRollout why deleting the pod would also roll out a change that nobody asked us to roll out
 * @param budgets PodDisruptionBudgets over the pod that allow no disruption now, by name
 * @param container the container that runs PostgreSQL, if it was found
 * @param unknownContainer a container that the declaration names and the pod has not
 * @param volumes the volumes that hold the data directory and the tablespaces, as far as the server could name them
 * @param otherPods other pods that use the same claims, by name
 * @param onePodClaims claims of the volumes that one pod only may have at a time (ReadWriteOncePod), as far as the workload says
 * @param rolloutOverlap why a rollout of the workload would run two servers on one volume, in words; empty where it stops the old
 *     one first
 * @param nodes every pod that the workload wants or has, where each has data of its own; of several, all of the above is about
 *     the one that is looked at, as if it were alone
 * @param interlockInLog whether the container, which does not come up, says in its log that one of our interlocks keeps it from starting
 */
public record WorkloadFacts(
        String kind,
        String name,
        int replicas,
        Optional<PodFacts> pod,
        Optional<String> pendingRollout,
        List<String> budgets,
        Optional<String> container,
        Optional<String> unknownContainer,
        List<DataVolume> volumes,
        List<String> otherPods,
        List<String> onePodClaims,
        boolean interlockInLog,
        Optional<String> rolloutOverlap,
        List<Node> nodes) {

    /** The kind whose controller makes the next pod as soon as one is marked for deletion. */
    public static final String DEPLOYMENT = "Deployment";

    /** Copies the nodes. */
    public WorkloadFacts {
        nodes = List.copyOf(nodes);
    }

    /** A workload of one pod. */
    public WorkloadFacts(
            String kind,
            String name,
            int replicas,
            Optional<PodFacts> pod,
            Optional<String> pendingRollout,
            List<String> budgets,
            Optional<String> container,
            Optional<String> unknownContainer,
            List<DataVolume> volumes,
            List<String> otherPods,
            List<String> onePodClaims,
            boolean interlockInLog) {
        this(
                kind,
                name,
                replicas,
                pod,
                pendingRollout,
                budgets,
                container,
                unknownContainer,
                volumes,
                otherPods,
                onePodClaims,
                interlockInLog,
                Optional.empty(),
                List.of());
    }

    /**
     * Whether our hold on its pod keeps its controller from making the next one. Where it does not, we never delete the pod: the next
     * one would be there beside it, with nothing but the interlock between two servers.
     */
    public boolean holdable() {
        return !kind.equals(DEPLOYMENT);
    }

    /** Whether it has more than one node. */
    public boolean several() {
        return nodes.size() > 1;
    }

    /** The same, as one of these nodes. */
    public WorkloadFacts among(List<Node> all) {
        return with(rolloutOverlap, all);
    }

    /** The same, with why a rollout would run two servers on one volume. */
    WorkloadFacts overlapping(String why) {
        return with(Optional.of(why), nodes);
    }

    private WorkloadFacts with(Optional<String> overlap, List<Node> all) {
        return new WorkloadFacts(
                kind,
                name,
                replicas,
                pod,
                pendingRollout,
                budgets,
                container,
                unknownContainer,
                volumes,
                otherPods,
                onePodClaims,
                interlockInLog,
                overlap,
                all);
    }

    /** A workload of which there is no pod. */
    public static WorkloadFacts withoutPod(String kind, String name, int replicas) {
        return new WorkloadFacts(
                kind,
                name,
                replicas,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                false);
    }

    /**
     * One of several pods, each with a server and a volume of its own.
     *
     * @param name of its pod, also while there is none
     * @param alone the workload, as if this were its only pod
     * @param server the word of its server
     * @param manager what makes another node the primary by itself, if something of the kind is seen
     */
    public record Node(String name, WorkloadFacts alone, Fact<ServerFacts> server, Optional<String> manager) {

        /** One that nobody switches over. */
        public Node(String name, WorkloadFacts alone, Fact<ServerFacts> server) {
            this(name, alone, server, Optional.empty());
        }

        /** The same, with what its server said. */
        public Node saying(Fact<ServerFacts> word) {
            return new Node(name, alone, word, manager);
        }

        /** Whether its server says that it takes writes. */
        public boolean primary() {
            return server.seen().filter(s -> !s.inRecovery()).isPresent();
        }
    }

    /**
     * The pod that holds the data.
     *
     * @param ip its address; empty before it has one
     * @param held whether it carries our hold
     * @param deleting when it was marked for deletion
     * @param ended whether the PostgreSQL container has terminated for good in this pod, or never started
     * @param crashing whether the container is in back-off or was restarted in this pod
     * @param raw the object, for what the Job copies of it
     */
    public record PodFacts(
            String name,
            String uid,
            Optional<String> ip,
            Optional<String> node,
            boolean ready,
            boolean held,
            Optional<Instant> deleting,
            boolean ended,
            boolean crashing,
            Pod raw) {

        /** The revision of the workload's template that it was made from, where its controller says. */
        public Optional<String> revision() {
            return Rollout.revision(raw);
        }
    }

    /**
     * A directory of the server, and the volume that holds it.
     *
     * @param directory path in the container, such as the data directory or a tablespace's location
     * @param what what it is, for a person: {@code data directory}, {@code tablespace fast}
     * @param volume name of the pod's volume; empty where the path is on no volume, so in the container's own file system
     * @param claim name of the PersistentVolumeClaim; empty where the volume is something else
     * @param kind kind of the volume: persistentVolumeClaim, emptyDir, hostPath...
     */
    public record DataVolume(
            String directory,
            String what,
            Optional<String> volume,
            Optional<String> claim,
            String kind,
            Optional<String> mountPath,
            Optional<String> subPath) {}
}

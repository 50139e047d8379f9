package dev.datachecksums.operator.observe;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsSpec;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.Node;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.standby.StandbyFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that a decision may rest on, gathered at one moment.
 *
 * @param at when, by the operator's clock
 * @param resource the declaration's identity
 * @param spec the declaration
 * @param status the last report; used only for what cannot be observed again: the conversion under way, attempts, the
 *     last conversion
 * @param server the server's own word; missing while it is stopped by us, with reason {@link #STOPPED}
 * @param workload what runs it; missing with reason {@link #EXTERNAL} when the declaration names none
 * @param jobs our Jobs for this resource, the newest last
 * @param session the superuser session that this process holds for the switch
 * @param conflict another, older resource that declares the same server, by {@code namespace/name}
 * @param forbidden verbs that the offline road needs and that the operator lacks, such as {@code delete pods}
 * @param standby whether a copy of the server could be brought up beside it; missing with reason {@link #NOT_ASKED} where it does not matter
 * @param online how the server's own switch of checksums goes; missing with reason {@link #NOT_ASKED} where it does not matter
 */
public record Observation(
        Instant at,
        Resource resource,
        DataChecksumsSpec spec,
        DataChecksumsStatus status,
        Fact<ServerFacts> server,
        Fact<WorkloadFacts> workload,
        List<JobFacts> jobs,
        SessionFacts session,
        Optional<String> conflict,
        List<String> forbidden,
        Fact<OnlineView> online,
        Fact<StandbyFacts> standby) {

    /** Our finalizer on the resource: it exists only while something is to be restored. */
    public static final String FINALIZER = "datachecksums.dev/restore";
    /** Reason of a missing server that we stopped ourselves: nobody was asked. */
    public static final String STOPPED = "StoppedForConversion";
    /** Reason of a missing view of a run where none is, and none is due. */
    public static final String NOT_ASKED = "NotAsked";
    /** Reason of a missing workload where the declaration has no instanceRef. */
    public static final String EXTERNAL = "External";

    /** What was not looked at, as nothing depends on it. */
    public static <T> Fact<T> notAsked() {
        return Fact.missing(NOT_ASKED, "the server was not asked", "none is needed");
    }

    /**
     * Identity of the declaration.
     *
     * @param deleting whether it is marked for deletion
     * @param finalizer whether it carries our finalizer
     * @param annotations ours: what a person says that the server cannot
     */
    public record Resource(
            String namespace,
            String name,
            String uid,
            long generation,
            Instant created,
            boolean deleting,
            boolean finalizer,
            Map<String, String> annotations) {

        /** Copies the map. */
        public Resource {
            annotations = Map.copyOf(annotations);
        }
    }

    /** The same, of another node. */
    public Observation of(Node node) {
        return seeing(
                node.server(),
                workload.seen()
                        .<Fact<WorkloadFacts>>map(w -> Fact.known(node.alone().among(w.nodes())))
                        .orElse(workload));
    }

    /** The same, of another server and workload. */
    Observation seeing(Fact<ServerFacts> otherServer, Fact<WorkloadFacts> otherWorkload) {
        return new Observation(
                at,
                resource,
                spec,
                status,
                otherServer,
                otherWorkload,
                jobs,
                session,
                conflict,
                forbidden,
                online,
                standby);
    }

    /** The conversion under way. */
    public Optional<ConversionStatus> conversion() {
        return Optional.ofNullable(status.conversion());
    }

    /** The state in which a server is as declared. */
    public static ChecksumState declared(DesiredState state) {
        return state == DesiredState.ENABLED ? ChecksumState.ON : ChecksumState.OFF;
    }

    /** Whether the pod can be held while its server is stopped. While the workload cannot be seen: yes, as of a StatefulSet. */
    public boolean holdable() {
        return workload.seen().map(WorkloadFacts::holdable).orElse(true);
    }

    /** The Job of that name. */
    public Optional<JobFacts> job(String name) {
        return jobs.stream().filter(j -> j.name().equals(name)).findFirst();
    }
}

package dev.datachecksums.operator.offline;

import dev.datachecksums.operator.offline.JobFacts.JobPod;
import dev.datachecksums.operator.offline.JobSpec.Owner;
import dev.datachecksums.operator.offline.LogFollower.Followed;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Sees the Jobs of a resource, and has the log of each of their pods followed from the moment it is seen. */
public final class JobObserver {

    /** A pod comes within milliseconds; what takes longer has a reason. */
    private static final Duration POD_EXPECTED = Duration.ofSeconds(2);
    /** A container that has not started by then waits for something that only an event names, such as its volume. */
    private static final Duration START_EXPECTED = Duration.ofSeconds(15);

    /** Conditions of a Job that makes no pod any more. */
    private static final Set<String> ENDS = Set.of("Complete", "Failed");

    private static final String LIFT = ConversionJob.role(JobSpec.Mode.LIFT);
    private static final String JOB_NAME = "batch.kubernetes.io/job-name";

    private final JobSource source;
    private final JobGateway events;
    private final LogFollower follower;
    private final Clock clock;

    /**
     * Sees through a source.
     *
     * @param events for what neither Job nor pod says
     */
    public JobObserver(JobSource source, JobGateway events, LogFollower follower, Clock clock) {
        this.source = source;
        this.events = events;
        this.follower = follower;
        this.clock = clock;
    }

    /**
     * Our Jobs for the resource, the newest last. One whose object has gone is still there as long as its pod is, with
     * {@code deleting} set: something of ours touches the volume until the pod has ended.
     *
     * @throws KubernetesClientException if the source asks the API server and that does not answer
     */
    public List<JobFacts> observe(Owner owner) {
        List<Job> jobs = source.jobs(owner.namespace(), owner.uid());
        List<Pod> pods = source.pods(owner.namespace(), owner.uid());
        List<JobFacts> facts = new ArrayList<>();
        for (Job job : jobs) {
            facts.add(facts(owner, job, pod(pods, job.getMetadata().getUid())));
        }
        pods.stream()
                .filter(p ->
                        jobs.stream().noneMatch(j -> j.getMetadata().getUid().equals(jobUid(p))))
                .forEach(p -> facts.add(orphan(owner, p)));
        facts.sort(Comparator.comparing(JobFacts::created).thenComparing(JobFacts::name));
        return List.copyOf(facts);
    }

    private JobFacts facts(Owner owner, Job job, Optional<Pod> pod) {
        String uid = job.getMetadata().getUid();
        Instant created = created(job.getMetadata().getCreationTimestamp());
        boolean finished = job.getStatus() != null
                && job.getStatus().getConditions() != null
                && job.getStatus().getConditions().stream()
                        .anyMatch(c -> ENDS.contains(c.getType()) && "True".equals(c.getStatus()));
        Optional<String> problem = pod.isPresent()
                ? problem(owner, pod.get())
                : finished ? Optional.empty() : eventOf(owner, uid, created, POD_EXPECTED);
        return new JobFacts(
                job.getMetadata().getName(),
                uid,
                LIFT.equals(JobGateway.label(job, JobNames.ROLE)),
                created,
                asked(job).orElse(created),
                job.getMetadata().getDeletionTimestamp() != null,
                pod.map(JobObserver::read),
                problem,
                finished,
                log(owner, uid, pod));
    }

    private static Optional<Instant> asked(Job job) {
        Map<String, String> annotations = job.getMetadata().getAnnotations();
        String asked = annotations == null ? null : annotations.get(JobNames.ASKED);
        try {
            return Optional.ofNullable(asked).map(Instant::parse);
        } catch (DateTimeParseException e) {
            // Somebody's edit.
            return Optional.empty();
        }
    }

    private JobFacts orphan(Owner owner, Pod pod) {
        return new JobFacts(
                JobGateway.label(pod, JOB_NAME),
                jobUid(pod),
                LIFT.equals(JobGateway.label(pod, JobNames.ROLE)),
                created(pod.getMetadata().getCreationTimestamp()),
                true,
                Optional.of(read(pod)),
                problem(owner, pod),
                false,
                log(owner, jobUid(pod), Optional.of(pod)));
    }

    private JobLog log(Owner owner, String jobUid, Optional<Pod> pod) {
        pod.ifPresent(p -> follower.follow(new Followed(
                owner.namespace(),
                owner.name(),
                jobUid,
                p.getMetadata().getName(),
                p.getMetadata().getUid())));
        return pod.filter(p -> read(p).ended())
                .map(p -> follower.ended(
                        jobUid, terminated(p).map(t -> t.getMessage()).orElse("")))
                .orElseGet(() -> follower.log(jobUid));
    }

    private Optional<String> problem(Owner owner, Pod pod) {
        JobPod read = read(pod);
        if (read.running() || read.ended()) {
            return read.ended() && terminated(pod).isEmpty() ? JobProblems.of(pod) : Optional.empty();
        }
        return JobProblems.of(pod)
                .or(() -> eventOf(
                        owner,
                        pod.getMetadata().getUid(),
                        created(pod.getMetadata().getCreationTimestamp()),
                        START_EXPECTED));
    }

    private Optional<String> eventOf(Owner owner, String uid, Instant created, Duration expected) {
        if (clock.instant().isBefore(created.plus(expected))) {
            return Optional.empty();
        }
        try {
            return JobProblems.of(events.events(owner.namespace(), uid));
        } catch (KubernetesClientException e) {
            // Events explain, they decide nothing: without them there is just no reason to give.
            return Optional.of("nothing came within " + expected.toSeconds()
                    + " s, and the events that say why cannot be listed (HTTP " + e.getCode() + ")");
        }
    }

    static JobPod read(Pod pod) {
        String phase = pod.getStatus() == null
                ? ""
                : Objects.requireNonNullElse(pod.getStatus().getPhase(), "");
        Optional<ContainerStateTerminated> terminated = terminated(pod);
        boolean unscheduledAndDeleted = pod.getMetadata().getDeletionTimestamp() != null
                && pod.getSpec().getNodeName() == null;
        boolean ended =
                terminated.isPresent() || "Succeeded".equals(phase) || "Failed".equals(phase) || unscheduledAndDeleted;
        return new JobPod(
                pod.getMetadata().getName(),
                pod.getMetadata().getUid(),
                !ended && state(pod).map(s -> s.getRunning() != null).orElse(false),
                ended,
                terminated.map(ContainerStateTerminated::getExitCode),
                pod.getMetadata().getDeletionTimestamp() != null);
    }

    private static Optional<ContainerStateTerminated> terminated(Pod pod) {
        return state(pod).map(ContainerState::getTerminated);
    }

    private static Optional<ContainerState> state(Pod pod) {
        return pod.getStatus() == null || pod.getStatus().getContainerStatuses() == null
                ? Optional.empty()
                : pod.getStatus().getContainerStatuses().stream()
                        .filter(s -> ConversionJob.CONTAINER.equals(s.getName()))
                        .map(ContainerStatus::getState)
                        .filter(Objects::nonNull)
                        .findFirst();
    }

    private static Optional<Pod> pod(List<Pod> pods, String jobUid) {
        // There is one: the Job never makes a second. If it did, the newest would be the one that counts.
        return pods.stream()
                .filter(p -> jobUid.equals(jobUid(p)))
                .max(Comparator.comparing(p -> created(p.getMetadata().getCreationTimestamp())));
    }

    private static String jobUid(Pod pod) {
        return pod.getMetadata().getOwnerReferences() == null
                ? ""
                : pod.getMetadata().getOwnerReferences().stream()
                        .filter(o -> "Job".equals(o.getKind()))
                        .map(OwnerReference::getUid)
                        .findFirst()
                        .orElse("");
    }

    private static Instant created(String timestamp) {
        return timestamp == null ? Instant.EPOCH : Instant.parse(timestamp);
    }
}

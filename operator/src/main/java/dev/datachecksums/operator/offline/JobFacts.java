package dev.datachecksums.operator.offline;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One of our Jobs, its pod, and what its script has said.
 *
 * @param name name of the Job; see {@link JobNames}
 * @param uid uid of the Job
 * @param lift whether it is a lift Job, which only restores
 * @param created when the Job was created, by the API server's clock
 * @param asked when the operator asked for it, by the operator's own clock: what its age is measured by
 * @param deleting whether it is marked for deletion
 * @param pod its pod, if one was ever made and still is
 * @param problem why there is no running pod (FailedCreate, Unschedulable, ErrImagePull...), in words
 * @param finished whether the Job has ended for good, well or badly (condition Complete or Failed): it makes no pod any
 *     more, also where its pod has been removed
 * @param log what the script has said; kept in memory also after the pod has gone
 */
public record JobFacts(
        String name,
        String uid,
        boolean lift,
        Instant created,
        Instant asked,
        boolean deleting,
        Optional<JobPod> pod,
        Optional<String> problem,
        boolean finished,
        JobLog log) {

    /** Asked for when it was created: both clocks are one. */
    public JobFacts(
            String name,
            String uid,
            boolean lift,
            Instant created,
            boolean deleting,
            Optional<JobPod> pod,
            Optional<String> problem,
            boolean finished,
            JobLog log) {
        this(name, uid, lift, created, created, deleting, pod, problem, finished, log);
    }

    /**
     * The Job's pod.
     *
     * @param running its container runs
     * @param ended its container has terminated: nothing of ours touches the volume any more
     * @param exitCode exit status of the container, once ended
     */
    public record JobPod(
            String name, String uid, boolean running, boolean ended, Optional<Integer> exitCode, boolean deleting) {}

    /** Whether nothing of this Job runs or can run any more. */
    public boolean over() {
        return pod.map(JobPod::ended).orElse(finished);
    }

    /** The same Job once its objects are seen no more: over, with its last words. */
    JobFacts gone(JobLog words) {
        return new JobFacts(name, uid, lift, created, asked, true, Optional.empty(), problem, true, words);
    }

    /** A time by the clock of the Job's cluster, such as that of its script's word, by the operator's own. */
    public Instant here(Instant there) {
        return asked.plus(Duration.between(created, there));
    }

    /** When its script said that step. */
    public Optional<Instant> said(Step step) {
        return log.at(step);
    }
}

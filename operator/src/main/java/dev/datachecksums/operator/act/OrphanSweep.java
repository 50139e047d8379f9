package dev.datachecksums.operator.act;

import dev.datachecksums.api.v1alpha1.SyncMethod;
import dev.datachecksums.operator.instance.InstanceDriver;
import dev.datachecksums.operator.instance.PodIdentity;
import dev.datachecksums.operator.observe.ApiProblem;
import dev.datachecksums.operator.offline.ConversionJob;
import dev.datachecksums.operator.offline.JobGateway;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.offline.JobSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is left of a conversion whose declaration has gone, and so is the subject of no reconcile: somebody took our finalizer
 * from the declaration, or restored a cluster without it. Jobs are deleted, and lift as they end; a held pod is released once
 * a Job has lifted what may stand on its volume, and after a while in any case: held, it would keep its namespace for ever.
 * Looked for when an operator begins to act, until nothing is left.
 */
public final class OrphanSweep {

    private static final Logger LOG = LoggerFactory.getLogger(OrphanSweep.class);

    private static final Duration PAUSE = Duration.ofSeconds(1);
    /** Doubled by each look that the API does not answer, or refuses. */
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    /** More than a Job takes that is told to end, or that lifts. */
    private static final Duration LIFT_LIMIT = Duration.ofMinutes(3);
    /** What a Job that only lifts does not wait for. */
    private static final Duration UNUSED = Duration.ofMinutes(1);

    private final Orphans orphans;
    private final InstanceDriver driver;
    private final JobGateway jobs;
    private final ConversionJob lifting;
    private final BooleanSupplier acts;

    /** Orphaned Jobs as they were: what lifts is made after their likeness. */
    private final Map<String, Job> models = new HashMap<>();
    /** When a pod was first found to be one, by its uid. */
    private final Map<String, Long> found = new HashMap<>();

    /**
     * With what it acts through.
     *
     * @param lifting with the script of a copy: it restores after both roads, and nothing may say which one it was
     * @param namespaces that are watched; empty: all
     * @param acts whether this operator is the one that acts; asked before each round
     */
    public OrphanSweep(
            KubernetesClient client,
            InstanceDriver driver,
            JobGateway jobs,
            ConversionJob lifting,
            Set<String> namespaces,
            BooleanSupplier acts) {
        this.orphans = new Orphans(ApiProblem.bounded(client), namespaces);
        this.driver = driver;
        this.jobs = jobs;
        this.lifting = lifting;
        this.acts = acts;
    }

    /** On a thread of its own, which ends when nothing is left, or when this operator acts no more. */
    public void start() {
        Thread thread = new Thread(this::run, "orphans");
        thread.setDaemon(true);
        thread.start();
    }

    private synchronized void run() {
        Duration pause = PAUSE;
        boolean left = true;
        while (left && acts.getAsBoolean()) {
            try {
                left = round();
                pause = PAUSE;
            } catch (KubernetesClientException e) {
                if (pause.equals(PAUSE)) {
                    LOG.warn(
                            "what is left of earlier conversions cannot be looked for now: the Kubernetes API answered {}",
                            e.getCode() <= 0 ? "nothing" : "HTTP " + e.getCode());
                }
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
            }
            if (left) {
                LockSupport.parkNanos(pause.toNanos());
            }
        }
    }

    /** Looks once and acts; whether something is left to be done. */
    boolean round() {
        Orphans.Found now = orphans.find();
        now.jobs().forEach(this::end);
        now.pods().forEach(p -> letGo(p, now));
        return !now.nothing();
    }

    private void end(Job job) {
        models.putIfAbsent(job.getMetadata().getUid(), job);
        if (job.getMetadata().getDeletionTimestamp() == null) {
            LOG.info(
                    "the Job {}/{} is of no declaration: it is deleted, and lifts as it ends",
                    job.getMetadata().getNamespace(),
                    job.getMetadata().getName());
            jobs.delete(job.getMetadata().getNamespace(), job.getMetadata().getName());
        }
    }

    private void letGo(Pod pod, Orphans.Found now) {
        long since = found.computeIfAbsent(pod.getMetadata().getUid(), u -> System.nanoTime());
        boolean late = System.nanoTime() - since > LIFT_LIMIT.toNanos();
        if (late || pod.getMetadata().getDeletionTimestamp() == null) {
            release(pod, late ? "nothing has lifted what may stand on its volume" : "it was not stopped");
            return;
        }
        if (now.atWork(pod.getMetadata().getNamespace())) {
            return;
        }
        Optional<Job> lift = now.lift(pod);
        if (lift.isEmpty()) {
            lift(pod);
        } else if (Orphans.succeeded(lift.get())) {
            release(pod, "what stood on its volume is lifted");
        }
    }

    private void lift(Pod pod) {
        Optional<Job> job = jobFor(pod);
        if (job.isEmpty()) {
            release(
                    pod,
                    "nobody knows where its data directory is: its volume may still carry the interlock's line in"
                            + " postgresql.auto.conf, and pg_wal under the name pg_wal.dck");
            return;
        }
        // Of no try: it is the pod's.
        String uid = pod.getMetadata().getUid();
        job.get().getMetadata().getLabels().put(JobNames.RESOURCE_UID, uid);
        job.get().getSpec().getTemplate().getMetadata().getLabels().put(JobNames.RESOURCE_UID, uid);
        try {
            jobs.create(job.get());
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw e;
            }
            release(pod, "no Job can be made there, because the namespace is being deleted, or we may not");
        }
    }

    /** Modelled on an orphaned Job of the same volume, else on the pod. */
    private Optional<Job> jobFor(Pod pod) {
        try {
            return models.values().stream()
                    .filter(j -> Orphans.shareVolume(j, pod))
                    .findFirst()
                    .map(j -> lifting.lift(j, Orphans.nameOfLift(pod)))
                    .or(() -> byItself(pod));
        } catch (IllegalArgumentException e) {
            LOG.warn("no Job can be modelled on what is left: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /** After the likeness of the pod, whose spec says where the data is and whose. */
    private Optional<Job> byItself(Pod pod) {
        for (Container c : pod.getSpec().getContainers()) {
            Optional<String> directory = PodIdentity.dataDirectory(pod, c.getName());
            Optional<String> runAs = PodIdentity.runAs(pod, c.getName());
            if (directory.isPresent() && runAs.isPresent()) {
                String[] ids = runAs.get().split(":", 2);
                return Optional.of(lifting.build(
                        new JobSpec.Owner(
                                pod.getMetadata().getNamespace(),
                                pod.getMetadata().getName(),
                                pod.getMetadata().getUid()),
                        Orphans.nameOfLift(pod),
                        pod,
                        c.getName(),
                        List.of(),
                        new JobSpec(
                                JobSpec.Mode.LIFT,
                                directory.get(),
                                Optional.empty(),
                                Long.parseLong(ids[0]),
                                Long.parseLong(ids[1]),
                                Optional.empty(),
                                Optional.of(JobSpec.NOBODY),
                                5432,
                                UNUSED,
                                UNUSED,
                                UNUSED,
                                SyncMethod.FSYNC)));
            }
        }
        return Optional.empty();
    }

    private void release(Pod pod, String why) {
        LOG.info(
                "the pod {}/{} is held for no declaration: it is let go; {}",
                pod.getMetadata().getNamespace(),
                pod.getMetadata().getName(),
                why);
        driver.release(
                pod.getMetadata().getNamespace(),
                pod.getMetadata().getName(),
                pod.getMetadata().getUid());
    }
}

package dev.datachecksums.operator.offline;

import dev.datachecksums.operator.instance.WorkloadFacts.DataVolume;
import dev.datachecksums.operator.offline.JobSpec.Mode;
import dev.datachecksums.operator.offline.JobSpec.Owner;
import dev.datachecksums.operator.postgres.Interlock;
import dev.datachecksums.operator.postgres.ServerFacts;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes the Job that works on the data of a pod: on its node, with its image, its volumes where the pod has them, as the
 * owner of the files. Pure. The Job has no owner and no time to live: it is removed by the operator alone, because a
 * cascade of somebody else's deletion would kill it in the middle of its work.
 */
public final class ConversionJob {

    /** Name of the Job's one container. */
    public static final String CONTAINER = "convert";

    private static final String MODE = "DCK_MODE";
    /** For scheduling, the pull of the image, the attachment of the volume, the checks. */
    private static final Duration START = Duration.ofMinutes(10);
    /** The script's own tries to lift (60 s), and something over. */
    private static final Duration END = Duration.ofMinutes(2);

    private static final int LONGEST_LABEL = 63;

    private final String script;

    /**
     * With the script that the container runs.
     *
     * @throws IllegalArgumentException if Kubernetes would change the script: it turns two dollar signs into one
     */
    public ConversionJob(String script) {
        if (script.contains("$$")) {
            throw new IllegalArgumentException("the script contains two dollar signs in a row");
        }
        this.script = script;
    }

    /** With the script for the conversion in place. */
    public static ConversionJob inPlace() {
        return new ConversionJob(JobScript.inPlace());
    }

    /** With the script that converts a copy and exchanges it. */
    public static ConversionJob temporaryStandby() {
        return new ConversionJob(JobScript.temporaryStandby());
    }

    /**
     * Makes a Job.
     *
     * @param pod the pod that holds the data
     * @param container the one that runs PostgreSQL
     * @param volumes what the data lies on, as far as known; a volume that is no claim is mounted only if it is named here
     * @throws IllegalArgumentException if the pod has no such container, or a mount of it cannot be repeated
     */
    public Job build(Owner owner, String name, Pod pod, String container, List<DataVolume> volumes, JobSpec spec) {
        Container original = pod.getSpec().getContainers().stream()
                .filter(c -> c.getName().equals(container))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "pod " + pod.getMetadata().getName() + " has no container " + container));
        JobMounts mounts = new JobMounts(pod, original, volumes);
        PodSpec podSpec = PodShape.like(pod, original, spec)
                .withVolumes(mounts.volumes())
                .withContainers(container(original, mounts.mounts(), spec))
                .build();
        return job(owner.namespace(), name, owner.name(), labels(owner, spec.mode()), deadline(spec), podSpec);
    }

    /**
     * Makes the Job that only restores, after the likeness of the one whose work it undoes.
     *
     * @param convert that Job, as it was made here or as the API server has it
     * @throws IllegalArgumentException if it is none of ours
     */
    public Job lift(Job convert, String name) {
        PodSpec old = convert.getSpec().getTemplate().getSpec();
        Container run = old.getContainers().stream()
                .filter(c -> CONTAINER.equals(c.getName()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Job " + convert.getMetadata().getName() + " has no container " + CONTAINER));
        List<EnvVar> env = new ArrayList<>(run.getEnv());
        env.replaceAll(e -> MODE.equals(e.getName()) ? variable(MODE, Mode.LIFT.word()) : optional(e));
        Container lift = new ContainerBuilder(run).withEnv(env).build();
        Map<String, String> labels = new TreeMap<>(convert.getMetadata().getLabels());
        labels.keySet().retainAll(List.of(JobNames.MANAGED_BY, JobNames.RESOURCE_UID, JobNames.RESOURCE_NAME));
        labels.put(JobNames.ROLE, role(Mode.LIFT));
        Map<String, String> annotations = convert.getMetadata().getAnnotations();
        String resource = annotations == null ? null : annotations.get(JobNames.RESOURCE_NAME);
        return job(
                convert.getMetadata().getNamespace(),
                name,
                resource == null ? "" : resource,
                labels,
                START.plus(END),
                new PodSpecBuilder(old).withContainers(lift).build());
    }

    private static Job job(
            String namespace,
            String name,
            String resource,
            Map<String, String> labels,
            Duration deadline,
            PodSpec pod) {
        return new JobBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .withLabels(labels)
                // also as an annotation: the name of a resource may be longer than a label
                .addToAnnotations(JobNames.RESOURCE_NAME, resource)
                .endMetadata()
                .withNewSpec()
                .withBackoffLimit(0)
                // not failed before its pod has really ended
                .withPodReplacementPolicy("Failed")
                .withActiveDeadlineSeconds(deadline.toSeconds())
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(PodShape.labels(labels))
                .withAnnotations(PodShape.ANNOTATIONS)
                .endMetadata()
                .withSpec(pod)
                .endTemplate()
                .endSpec()
                .build();
    }

    private Container container(Container original, List<VolumeMount> mounts, JobSpec spec) {
        return new ContainerBuilder()
                .withName(CONTAINER)
                .withImage(original.getImage())
                .withImagePullPolicy("IfNotPresent")
                .withCommand("sh", "-c", script)
                .withWorkingDir("/")
                .withEnv(environment(spec))
                .withVolumeMounts(mounts)
                .withResources(
                        JobResources.beside(original.getResources(), spec.copy().isPresent()))
                .withSecurityContext(PodShape.container(spec.uid()))
                .build();
    }

    private static List<EnvVar> environment(JobSpec spec) {
        List<EnvVar> env = new ArrayList<>();
        env.add(variable(MODE, spec.mode().word()));
        env.add(variable("PGDATA", spec.dataDirectory()));
        env.add(variable("DCK_LOCK", Interlock.PARAMETER));
        env.add(variable("DCK_READY_FOR", seconds(spec.readyFor())));
        env.add(variable("DCK_ARMED_FOR", seconds(spec.armedFor())));
        env.add(variable("DCK_MAX_OUTAGE", seconds(spec.maxOutage())));
        env.add(variable("DCK_SYNC", spec.sync().name().toLowerCase(Locale.ROOT)));
        spec.binDirectory().ifPresent(b -> env.add(variable("DCK_BINDIR", b)));
        if (spec.copy().isPresent() || spec.mode() == Mode.LIFT) {
            env.add(variable("DCK_SLOT", ServerFacts.STANDBY_SLOT));
        }
        spec.copy().ifPresent(c -> env.addAll(copying(c, spec.mode() == Mode.LIFT)));
        spec.host().ifPresent(h -> {
            env.add(variable("DCK_HOST", h));
            env.add(variable("DCK_PORT", Integer.toString(spec.port())));
        });
        return env;
    }

    private static List<EnvVar> copying(JobSpec.Copy copy, boolean lift) {
        JobSpec.Encryption encryption = copy.encryption();
        List<EnvVar> env = new ArrayList<>(List.of(
                fromSecret("PGUSER", copy.secret(), copy.userKey(), lift),
                fromSecret("PGPASSWORD", copy.secret(), copy.passwordKey(), lift),
                variable("PGDATABASE", copy.database()),
                variable("DCK_SSLMODE", encryption.mode())));
        encryption.name().ifPresent(n -> env.add(variable("DCK_CERTIFIED", n)));
        encryption.ca().ifPresent(ca -> env.add(fromSecret("DCK_CA", ca.secret(), ca.key(), lift)));
        copy.ratePerSecond().ifPresent(r -> env.add(variable("DCK_MAX_COPY_RATE", Long.toString(r))));
        copy.floorBytes().ifPresent(f -> env.add(variable("DCK_FLOOR", Long.toString(f))));
        return env;
    }

    /** Optional where it must not keep a pod from starting: the interlock is lifted without any of it. */
    private static EnvVar fromSecret(String name, String secret, String key, boolean optional) {
        return new EnvVarBuilder()
                .withName(name)
                .withNewValueFrom()
                .withNewSecretKeyRef(key, secret, optional)
                .endValueFrom()
                .build();
    }

    private static EnvVar optional(EnvVar e) {
        return e.getValueFrom() == null || e.getValueFrom().getSecretKeyRef() == null
                ? e
                : fromSecret(
                        e.getName(),
                        e.getValueFrom().getSecretKeyRef().getName(),
                        e.getValueFrom().getSecretKeyRef().getKey(),
                        true);
    }

    /** A value is expanded by Kubernetes, unlike a script it may hold whatever a path may hold. */
    private static EnvVar variable(String name, String value) {
        return new EnvVarBuilder()
                .withName(name)
                .withValue(value.replace("$", "$$"))
                .build();
    }

    private static String seconds(Duration d) {
        return Long.toString(Math.max(1, d.toSeconds()));
    }

    private static Duration deadline(JobSpec spec) {
        return START.plus(spec.readyFor())
                .plus(spec.armedFor())
                .plus(spec.maxOutage())
                .plus(END);
    }

    private static Map<String, String> labels(Owner owner, Mode mode) {
        Map<String, String> labels = new TreeMap<>();
        labels.put(JobNames.MANAGED_BY, JobNames.OPERATOR);
        labels.put(JobNames.RESOURCE_UID, owner.uid());
        labels.put(JobNames.ROLE, role(mode));
        if (owner.name().length() <= LONGEST_LABEL) {
            labels.put(JobNames.RESOURCE_NAME, owner.name());
        }
        return labels;
    }

    /** Value of the label {@link JobNames#ROLE}. */
    static String role(Mode mode) {
        return mode == Mode.LIFT ? "lift" : "convert";
    }
}

package dev.datachecksums.operator.offline;

import static dev.datachecksums.operator.instance.Pods.container;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.datachecksums.api.v1alpha1.SyncMethod;
import dev.datachecksums.operator.instance.Pods;
import dev.datachecksums.operator.instance.WorkloadFacts.DataVolume;
import dev.datachecksums.operator.offline.JobSpec.Mode;
import dev.datachecksums.operator.offline.JobSpec.Owner;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ConversionJobTest {

    private static final Owner OWNER = new Owner("ns", "orders", "owner-uid");
    private static final String DATA = "/var/lib/postgresql/data";

    private static JobSpec spec(Mode mode) {
        return new JobSpec(
                mode,
                DATA + "/$(pg)",
                Optional.of("/usr/lib/postgresql/17/bin"),
                999,
                998,
                Optional.of("s0:c1,c2"),
                Optional.of("10.0.0.7"),
                5433,
                Duration.ofMinutes(10),
                Duration.ofSeconds(20),
                Duration.ofMinutes(30),
                SyncMethod.SYNCFS);
    }

    private static Job build(Pod pod) {
        return ConversionJob.inPlace().build(OWNER, "job", pod, "pg", List.of(), spec(Mode.ENABLE));
    }

    private static PodSpec podSpec(Job job) {
        return job.getSpec().getTemplate().getSpec();
    }

    private static Container only(Job job) {
        assertThat(podSpec(job).getContainers()).hasSize(1);
        return podSpec(job).getContainers().get(0);
    }

    private static Pod pod() {
        return Pods.of(container("pg", "data:" + DATA), container("sidecar", "scratch:/x"));
    }

    @Test
    void runsTheServersImageAsTheOwnerOfTheFilesWithNoRightThatItNeedsNot() {
        Job job = build(pod());
        Container c = only(job);
        assertThat(c.getImage()).isEqualTo("pg:1");
        assertThat(c.getImagePullPolicy()).isEqualTo("IfNotPresent");
        assertThat(c.getCommand()).hasSize(3).startsWith("sh", "-c");
        assertThat(c.getCommand().get(2)).contains("# In-place conversion").doesNotContain("$$");
        assertThat(c.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
        assertThat(c.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
        assertThat(c.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(c.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(c.getResources().getLimits()).containsOnlyKeys("memory");
        PodSpec p = podSpec(job);
        assertThat(p.getSecurityContext().getRunAsUser()).isEqualTo(999);
        assertThat(p.getSecurityContext().getRunAsGroup()).isEqualTo(998);
        assertThat(p.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(p.getSecurityContext().getSeLinuxOptions().getLevel()).isEqualTo("s0:c1,c2");
        assertThat(p.getAutomountServiceAccountToken()).isFalse();
        assertThat(p.getEnableServiceLinks()).isFalse();
        assertThat(p.getHostNetwork()).isNull();
    }

    /** As a quota or a LimitRange has it for the database, it is allowed for the Job. */
    @Test
    void asksForNoMoreThanTheDatabaseMayHave() {
        Container pg = new ContainerBuilder(container("pg", "data:" + DATA))
                .withNewResources()
                .addToLimits("cpu", new Quantity("50m"))
                .addToLimits("memory", new Quantity("1Gi"))
                .addToLimits("ephemeral-storage", new Quantity("1Gi"))
                .endResources()
                .build();
        Container c = only(build(Pods.of(pg)));
        assertThat(c.getResources().getLimits())
                .containsOnly(
                        Map.entry("cpu", new Quantity("50m")),
                        Map.entry("memory", new Quantity("256Mi")),
                        Map.entry("ephemeral-storage", new Quantity("128Mi")));
        assertThat(c.getResources().getRequests())
                .containsOnly(Map.entry("cpu", new Quantity("50m")), Map.entry("memory", new Quantity("64Mi")));
    }

    @Test
    void tellsTheScriptWhatItAsksFor() {
        Map<String, String> env =
                only(build(pod())).getEnv().stream().collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
        assertThat(env)
                .containsOnly(
                        Map.entry("DCK_MODE", "enable"),
                        // as Kubernetes has to get it, so that the script gets a single dollar sign
                        Map.entry("PGDATA", DATA + "/$$(pg)"),
                        Map.entry("DCK_LOCK", "data_checksums_conversion_in_progress"),
                        Map.entry("DCK_READY_FOR", "600"),
                        Map.entry("DCK_ARMED_FOR", "20"),
                        Map.entry("DCK_MAX_OUTAGE", "1800"),
                        Map.entry("DCK_SYNC", "syncfs"),
                        Map.entry("DCK_BINDIR", "/usr/lib/postgresql/17/bin"),
                        Map.entry("DCK_HOST", "10.0.0.7"),
                        Map.entry("DCK_PORT", "5433"));
        String script = only(build(pod())).getCommand().get(2);
        assertThat(script.substring(script.indexOf("# In-place conversion"))).contains(env.keySet());
    }

    @Test
    void belongsToNobodyAndIsEndedByNobodyButTheOperator() {
        Job job = build(pod());
        assertThat(job.getMetadata().getOwnerReferences()).isEmpty();
        assertThat(job.getSpec().getTtlSecondsAfterFinished()).isNull();
        assertThat(job.getSpec().getBackoffLimit()).isZero();
        assertThat(podSpec(job).getRestartPolicy()).isEqualTo("Never");
        // longer than all that the script may wait for
        assertThat(job.getSpec().getActiveDeadlineSeconds()).isGreaterThan(600 + 20 + 1800);
        assertThat(podSpec(job).getTerminationGracePeriodSeconds()).isGreaterThan(60);
    }

    @Test
    void carriesLabelsOfItsOwnOnly() {
        Job job = build(pod());
        assertThat(job.getMetadata().getLabels())
                .containsOnly(
                        Map.entry(JobNames.MANAGED_BY, JobNames.OPERATOR),
                        Map.entry(JobNames.RESOURCE_UID, "owner-uid"),
                        Map.entry(JobNames.RESOURCE_NAME, "orders"),
                        Map.entry(JobNames.ROLE, "convert"));
        assertThat(job.getSpec().getTemplate().getMetadata().getLabels())
                .containsAllEntriesOf(job.getMetadata().getLabels())
                .doesNotContainKey("app");
        assertThat(job.getSpec().getTemplate().getMetadata().getAnnotations())
                .containsEntry("sidecar.istio.io/inject", "false")
                .containsEntry("linkerd.io/inject", "disabled");
    }

    @Test
    void leavesANameOutOfTheLabelsThatIsTooLongForOne() {
        Owner owner = new Owner("ns", "o".repeat(200), "owner-uid");
        Job job = ConversionJob.inPlace().build(owner, "job", pod(), "pg", List.of(), spec(Mode.DISABLE));
        assertThat(job.getMetadata().getLabels()).doesNotContainKey(JobNames.RESOURCE_NAME);
        assertThat(job.getMetadata().getAnnotations()).containsEntry(JobNames.RESOURCE_NAME, "o".repeat(200));
    }

    @Test
    void mountsTheClaimsOfTheServerWhereItHasThemAndNothingElse() {
        Container pg = new ContainerBuilder(container(
                        "pg", "data:" + DATA + ":pg", "fast:/fast", "scratch:/run/postgresql", "conf:/etc/postgresql"))
                .build();
        Job job = build(Pods.of(pg, container("sidecar", "fast:/other")));
        assertThat(only(job).getVolumeMounts().stream()
                        .map(m -> m.getName() + ":" + m.getMountPath() + ":" + m.getSubPath()))
                .containsExactly("data:" + DATA + ":pg", "fast:/fast:null", "dck-tmp:/tmp:null");
        assertThat(podSpec(job).getVolumes().stream().map(Volume::getName)).containsExactly("data", "fast", "dck-tmp");
        assertThat(podSpec(job).getVolumes().get(0).getPersistentVolumeClaim().getClaimName())
                .isEqualTo("data-db-0");
    }

    @Test
    void mountsAVolumeThatIsNoClaimIfTheDataLiesOnIt() {
        Pod pod = Pods.of(container("pg", "scratch:" + DATA));
        DataVolume data = new DataVolume(
                DATA,
                "data directory",
                Optional.of("scratch"),
                Optional.empty(),
                "hostPath",
                Optional.of(DATA),
                Optional.empty());
        Job job = ConversionJob.inPlace().build(OWNER, "job", pod, "pg", List.of(data), spec(Mode.ENABLE));
        assertThat(only(job).getVolumeMounts().stream().map(VolumeMount::getName))
                .containsExactly("scratch", "dck-tmp");
    }

    @Test
    void mountsTheDirectoryOfTheDatabasesPodAndNotOfItsOwn() {
        Container pg = new ContainerBuilder(container("pg"))
                .addNewEnv()
                .withName("POD")
                .withNewValueFrom()
                .withNewFieldRef(null, "metadata.name")
                .endValueFrom()
                .endEnv()
                .addNewVolumeMount()
                .withName("data")
                .withMountPath(DATA)
                .withSubPathExpr("$(POD)")
                .endVolumeMount()
                .build();
        VolumeMount mount = only(build(Pods.of(pg))).getVolumeMounts().get(0);
        assertThat(mount.getSubPath()).isEqualTo("db-0");
        assertThat(mount.getSubPathExpr()).isNull();
        Container unknown = new ContainerBuilder(pg).withEnv().build();
        assertThatThrownBy(() -> build(Pods.of(unknown))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void goesToTheNodeOfThePodWhateverItsTaints() {
        Pod tainted = new PodBuilder(pod())
                .editSpec()
                .addToTolerations(new TolerationBuilder()
                        .withKey("db")
                        .withOperator("Exists")
                        .withEffect("NoExecute")
                        .build())
                .withPriorityClassName("important")
                .withRuntimeClassName("kata")
                .withServiceAccountName("db")
                .addNewImagePullSecret("pull")
                .withNodeSelector(Map.of("disk", "gone"))
                .endSpec()
                .build();
        PodSpec p = podSpec(build(tainted));
        assertThat(p.getNodeName()).isNull();
        assertThat(p.getNodeSelector()).isEmpty();
        assertThat(p.getAffinity()
                        .getNodeAffinity()
                        .getRequiredDuringSchedulingIgnoredDuringExecution()
                        .getNodeSelectorTerms()
                        .get(0)
                        .getMatchFields()
                        .get(0))
                .satisfies(f -> {
                    assertThat(f.getKey()).isEqualTo("metadata.name");
                    assertThat(f.getValues()).containsExactly("node-1");
                });
        assertThat(p.getTolerations().stream().map(t -> t.getKey() + " " + t.getOperator() + " " + t.getEffect()))
                .containsExactly("db Exists NoExecute");
        assertThat(p.getPriorityClassName()).isEqualTo("important");
        assertThat(p.getRuntimeClassName()).isEqualTo("kata");
        assertThat(p.getServiceAccountName()).isEqualTo("db");
        assertThat(p.getImagePullSecrets()).extracting("name").containsExactly("pull");
    }

    @Test
    void takesThePodsGroupAsASupplementalOne() {
        Pod pod = new PodBuilder(pod())
                .editSpec()
                .withNewSecurityContext()
                .withFsGroup(2000L)
                .withSupplementalGroups(3000L, 2000L)
                .withRunAsUser(1L)
                .withNewSeLinuxOptions()
                .withLevel("s0:c7")
                .endSeLinuxOptions()
                .endSecurityContext()
                .endSpec()
                .build();
        PodSecurityContext s = podSpec(build(pod)).getSecurityContext();
        assertThat(s.getFsGroup()).isNull();
        assertThat(s.getFsGroupChangePolicy()).isNull();
        assertThat(s.getSupplementalGroups()).containsExactly(3000L, 2000L);
        assertThat(s.getRunAsUser()).isEqualTo(999);
        assertThat(s.getSeLinuxOptions().getLevel()).isEqualTo("s0:c7");
    }

    @Test
    void makesALiftJobOfTheJobThatTheApiServerHas() {
        Job live = new JobBuilder(build(pod()))
                .editMetadata()
                .withUid("job-uid")
                .withResourceVersion("9")
                .addToLabels("batch.kubernetes.io/x", "y")
                .endMetadata()
                .editSpec()
                .withNewSelector()
                .addToMatchLabels("batch.kubernetes.io/controller-uid", "job-uid")
                .endSelector()
                .editTemplate()
                .editMetadata()
                .addToLabels("batch.kubernetes.io/controller-uid", "job-uid")
                .endMetadata()
                .endTemplate()
                .endSpec()
                .build();
        Job lift = ConversionJob.inPlace().lift(live, "job-lift1");
        assertThat(lift.getMetadata().getUid()).isNull();
        assertThat(lift.getMetadata().getResourceVersion()).isNull();
        assertThat(lift.getSpec().getSelector()).isNull();
        assertThat(lift.getMetadata().getLabels())
                .containsEntry(JobNames.ROLE, "lift")
                .doesNotContainKey("batch.kubernetes.io/x");
        assertThat(lift.getSpec().getTemplate().getMetadata().getLabels())
                .containsEntry(JobNames.ROLE, "lift")
                .containsEntry(JobNames.RESOURCE_UID, "owner-uid")
                .doesNotContainKey("batch.kubernetes.io/controller-uid");
        assertThat(only(lift).getEnv())
                .filteredOn(e -> e.getName().equals("DCK_MODE"))
                .extracting(EnvVar::getValue)
                .containsExactly("lift");
        assertThat(only(lift).getVolumeMounts()).isEqualTo(only(live).getVolumeMounts());
    }

    @Test
    void refusesAScriptThatKubernetesWouldChange() {
        assertThatThrownBy(() -> new ConversionJob("echo $$")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesAContainerThatIsNotThere() {
        assertThatThrownBy(
                        () -> ConversionJob.inPlace().build(OWNER, "job", pod(), "other", List.of(), spec(Mode.ENABLE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no container other");
    }
}

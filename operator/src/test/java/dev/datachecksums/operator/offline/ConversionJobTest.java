package dev.datachecksums.operator.offline;

import static dev.datachecksums.operator.instance.Pods.container;
import static dev.datachecksums.operator.offline.InPlaceJobs.DATA;
import static dev.datachecksums.operator.offline.InPlaceJobs.OWNER;
import static dev.datachecksums.operator.offline.InPlaceJobs.build;
import static dev.datachecksums.operator.offline.InPlaceJobs.only;
import static dev.datachecksums.operator.offline.InPlaceJobs.pod;
import static dev.datachecksums.operator.offline.InPlaceJobs.podSpec;
import static dev.datachecksums.operator.offline.InPlaceJobs.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.datachecksums.operator.instance.Pods;
import dev.datachecksums.operator.offline.JobSpec.Mode;
import dev.datachecksums.operator.offline.JobSpec.Owner;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The Job, and what its container is told. */
class ConversionJobTest {

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

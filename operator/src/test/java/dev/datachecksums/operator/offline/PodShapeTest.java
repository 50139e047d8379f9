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
import dev.datachecksums.operator.instance.WorkloadFacts.DataVolume;
import dev.datachecksums.operator.offline.JobSpec.Mode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the Job's pod has of the database's pod. */
class PodShapeTest {

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
}

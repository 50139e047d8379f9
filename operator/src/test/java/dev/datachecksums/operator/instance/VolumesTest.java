package dev.datachecksums.operator.instance;

import static dev.datachecksums.operator.instance.Pods.container;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.instance.Directories.Tablespace;
import dev.datachecksums.operator.instance.WorkloadFacts.DataVolume;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class VolumesTest {

    private static final String DATA = "/var/lib/postgresql/data";

    static Stream<Arguments> layouts() {
        return Stream.of(
                Arguments.of(
                        "mount point",
                        DATA,
                        container("pg", "data:" + DATA),
                        "data persistentVolumeClaim data-db-0 " + DATA),
                Arguments.of(
                        "below",
                        DATA + "/pgdata",
                        container("pg", "data:" + DATA),
                        "data persistentVolumeClaim data-db-0 " + DATA),
                Arguments.of(
                        "slash",
                        DATA + "/",
                        container("pg", "data:" + DATA + "/"),
                        "data persistentVolumeClaim data-db-0 " + DATA),
                Arguments.of(
                        "18's default",
                        "/var/lib/postgresql/18/docker",
                        container("pg", "data:/var/lib/postgresql"),
                        "data persistentVolumeClaim data-db-0 /var/lib/postgresql"),
                Arguments.of(
                        "subPath",
                        DATA,
                        container("pg", "data:" + DATA + ":pg"),
                        "data persistentVolumeClaim data-db-0 " + DATA + " pg"),
                Arguments.of(
                        "nested, the inner one counts",
                        DATA + "/x",
                        container("pg", "scratch:/var", "fast:" + DATA + "/x", "data:" + DATA),
                        "fast persistentVolumeClaim fast-db-0 " + DATA + "/x"),
                Arguments.of(
                        "a name that is only a prefix of letters",
                        DATA + "2",
                        container("pg", "data:" + DATA, "scratch:/var"),
                        "scratch emptyDir - /var"),
                Arguments.of("root mount", DATA, container("pg", "data:/"), "data persistentVolumeClaim data-db-0 /"),
                Arguments.of("emptyDir", DATA, container("pg", "scratch:" + DATA), "scratch emptyDir - " + DATA),
                Arguments.of("no volume", DATA, container("pg", "data:/other"), "- none - -"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("layouts")
    void resolvesTheDataDirectory(String name, String directory, Container container, String expected) {
        List<DataVolume> volumes = Volumes.of(Pods.of(container), container, Directories.of(directory));
        assertThat(volumes).hasSize(1);
        assertThat(volumes.get(0).what()).isEqualTo("data directory");
        assertThat(text(volumes.get(0))).isEqualTo(expected);
    }

    @Test
    void findsATablespaceOnASecondClaimAndAWalOfItsOwn() {
        Container c = container("pg", "data:" + DATA, "fast:/fast", "scratch:/wal");
        Directories d = new Directories(
                DATA,
                Optional.of("/wal/pg_wal"),
                List.of(new Tablespace("quick", "/fast/ts"), new Tablespace("lost", "/nowhere")));
        assertThat(Volumes.of(Pods.of(c), c, d).stream().map(v -> v.what() + " " + text(v)))
                .containsExactly(
                        "data directory data persistentVolumeClaim data-db-0 " + DATA,
                        "pg_wal scratch emptyDir - /wal",
                        "tablespace quick fast persistentVolumeClaim fast-db-0 /fast",
                        "tablespace lost - none - -");
    }

    @Test
    void findsAVolumeThatIsMountedOnPgWal() {
        Container c = container("pg", "data:" + DATA, "scratch:" + DATA + "/pg_wal");
        assertThat(Volumes.of(Pods.of(c), c, Directories.of(DATA)).stream().map(v -> v.what() + " " + text(v)))
                .containsExactly(
                        "data directory data persistentVolumeClaim data-db-0 " + DATA,
                        "pg_wal scratch emptyDir - " + DATA + "/pg_wal");
    }

    @Test
    void putsThePodsOwnValuesIntoASubPathExpr() {
        Container c = new ContainerBuilder(container("pg"))
                .addNewEnv()
                .withName("POD")
                .withNewValueFrom()
                .withNewFieldRef(null, "metadata.name")
                .endValueFrom()
                .endEnv()
                .addNewEnv()
                .withName("DIR")
                .withValue("v-$(POD)")
                .endEnv()
                .addNewVolumeMount()
                .withName("data")
                .withMountPath(DATA)
                .withSubPathExpr("$(DIR)/x")
                .endVolumeMount()
                .build();
        assertThat(text(Volumes.of(Pods.of(c), c, Directories.of(DATA)).get(0)))
                .isEqualTo("data persistentVolumeClaim data-db-0 " + DATA + " v-db-0/x");
    }

    @Test
    void saysWhenASubPathExprCannotBeResolved() {
        Container c = new ContainerBuilder(container("pg"))
                .addNewVolumeMount()
                .withName("data")
                .withMountPath(DATA)
                .withSubPathExpr("$(UNKNOWN)")
                .endVolumeMount()
                .build();
        assertThat(Volumes.of(Pods.of(c), c, Directories.of(DATA)).get(0).kind())
                .isEqualTo("persistentVolumeClaim with a subPathExpr that cannot be resolved");
    }

    static Stream<Arguments> containers() {
        Container server = env(container("pg", "data:" + DATA), "PGDATA", DATA);
        Container exporter = container("exporter");
        Container backup = container("backup", "data:" + DATA);
        Container readOnly = new ContainerBuilder(container("reader", "data:" + DATA))
                .editFirstVolumeMount()
                .withReadOnly(true)
                .endVolumeMount()
                .build();
        return Stream.of(
                Arguments.of("the only one", DATA, Pods.of(container("pg", "data:" + DATA)), "pg"),
                Arguments.of("sidecars before and after", DATA, Pods.of(exporter, server, backup), "pg"),
                Arguments.of("the one that says so", DATA, Pods.of(backup, server), "pg"),
                Arguments.of(
                        "the nearest mount",
                        DATA,
                        Pods.of(env(container("outer", "data:/var"), "PGDATA", "x"), backup),
                        "backup"),
                Arguments.of("the one that may write", DATA, Pods.of(readOnly, container("pg", "data:" + DATA)), "pg"),
                Arguments.of(
                        "the first of equals",
                        DATA,
                        Pods.of(container("a", "data:" + DATA), container("b", "data:" + DATA)),
                        "a"),
                Arguments.of("nobody mounts it", DATA, Pods.of(exporter, container("pg", "data:/x")), ""),
                Arguments.of("directory unknown, one container", "", Pods.of(exporter), "exporter"),
                Arguments.of("directory unknown, one says so", "", Pods.of(exporter, server), "pg"),
                Arguments.of(
                        "directory unknown, two say so", "", Pods.of(env(exporter, "POSTGRES_USER", "x"), server), ""));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("containers")
    void findsTheContainer(String name, String directory, Pod pod, String expected) {
        Optional<String> found = Volumes.container(pod, Optional.of(directory).filter(d -> !d.isEmpty()))
                .map(Container::getName);
        assertThat(found.orElse("")).isEqualTo(expected);
    }

    @Test
    void countsOtherPodsOnTheClaimsThatHaveNotEnded() {
        Pod ours = Pods.of(container("pg", "data:" + DATA));
        Pod debug = named(ours, "debug", "Running");
        Pod ended = named(ours, "ended", "Succeeded");
        Pod job = new PodBuilder(named(ours, "job", "Running"))
                .editMetadata()
                .addToLabels("own", "x")
                .endMetadata()
                .build();
        Pod elsewhere = new PodBuilder(named(ours, "elsewhere", "Running"))
                .editSpec()
                .withVolumes()
                .endSpec()
                .build();
        assertThat(Volumes.otherPods(List.of(ours, debug, ended, job, elsewhere), ours, List.of("data-db-0"), "own"))
                .containsExactly("debug");
    }

    private static Pod named(Pod like, String name, String phase) {
        return new PodBuilder(like)
                .editMetadata()
                .withName(name)
                .withUid(name)
                .endMetadata()
                .editStatus()
                .withPhase(phase)
                .endStatus()
                .build();
    }

    private static Container env(Container c, String name, String value) {
        return new ContainerBuilder(c)
                .addNewEnv()
                .withName(name)
                .withValue(value)
                .endEnv()
                .build();
    }

    private static String text(DataVolume v) {
        return v.volume().orElse("-") + " " + v.kind() + " " + v.claim().orElse("-") + " "
                + v.mountPath().orElse("-") + v.subPath().map(s -> " " + s).orElse("");
    }
}

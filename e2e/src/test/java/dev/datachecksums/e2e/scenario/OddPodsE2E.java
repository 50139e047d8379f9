package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pods that are not like the usual one: the Job must get at their data, and they must stop and come back. */
@Tag("cluster")
class OddPodsE2E {
    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    @Scenario
    void nonRootInASubdirectoryOfRootsMount() throws Exception {
        converts(PostgresSpec.named("non-root"), OddPods.IN_ROOTS_MOUNT);
    }

    @Scenario
    void subPathThatIsTheDataDirectory() throws Exception {
        converts(PostgresSpec.named("sub-path"), OddPods.SUB_PATH);
    }

    /** Nothing can take the place of a mount point: its children change places, one by one. */
    @Scenario
    void aCopyInsideOfADataDirectoryThatIsTheMountPoint() throws Exception {
        convertsByACopy("sub-path-copy", OddPods.SUB_PATH);
    }

    /** Nothing can be made beside the data directory. */
    @Scenario
    void aCopyInsideOfADataDirectoryInRootsMount() throws Exception {
        convertsByACopy("non-root-copy", OddPods.IN_ROOTS_MOUNT);
    }

    @Scenario
    void readOnlyRootFileSystem() throws Exception {
        converts(PostgresSpec.named("read-only"), OddPods.READ_ONLY_ROOT);
    }

    /** The server ends at once by the shutdown that SQL sent; the pod has to outlast its hook, or the grace, all the same. */
    @Scenario
    void hookThatKeepsTheServerFromStopping() throws Exception {
        converts(PostgresSpec.named("pre-stop").withGraceSeconds(90), OddPods.PRE_STOP);
    }

    @Scenario
    void sidecarThatIsDeafToSignals() throws Exception {
        converts(PostgresSpec.named("deaf").withGraceSeconds(6), OddPods.DEAF_SIDECAR);
    }

    /** The Job could only start once the server has stopped: nothing would be checked before the outage. */
    @Scenario
    void claimForOnePodOnlyIsRefused() {
        Database database = CLUSTER.create(PostgresSpec.named("once-pod"), OddPods.READ_WRITE_ONCE_POD);
        Database.Standing before = database.standing();
        Declaration declaration = database.declare();
        assertThat(declaration.awaitBlocker("ClaimForOnePod").message()).contains("ReadWriteOncePod");
        assertThat(declaration.job().jobs()).isEmpty();
        assertThat(database.standing()).isEqualTo(before);
    }

    /** Stopped now, the server would have no node to come back to. */
    @Scenario
    void nothingIsStoppedOnACordonedNode() throws Exception {
        Database database = CLUSTER.create(PostgresSpec.named("cordoned"));
        Database.Standing before = database.standing();
        Node node = CLUSTER.testbed()
                .client()
                .nodes()
                .withName(database.pod().getSpec().getNodeName())
                .get();
        Declaration declaration;
        cordon(node, true);
        try {
            declaration = database.declare();
            declaration.await(
                    "told so", s -> Declaration.condition(s, "Ready").message().contains("Unschedulable"));
            assertThat(database.standing()).isEqualTo(before);
        } finally {
            cordon(node, false);
        }
        declaration.assertOneTry(Objects.requireNonNull(
                declaration.awaitConverged(DesiredState.ENABLED).lastConversion()));
        database.assertNothingLeft();
    }

    private static void cordon(Node node, boolean on) {
        CLUSTER.testbed()
                .client()
                .resource(node)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"unschedulable\":" + on + "}}");
    }

    /** At the first try, under a client that writes. */
    private static void convertsByACopy(String name, UnaryOperator<StatefulSet> shape) throws Exception {
        LastConversion last = converts(
                PostgresSpec.named(name),
                shape,
                "policy.offline.strategy",
                "TemporaryStandby",
                "policy.offline.minFreeSpace",
                "100Mi");
        assertThat(last.method()).isEqualTo(ConversionMethod.TEMPORARY_STANDBY);
    }

    static LastConversion converts(PostgresSpec spec, UnaryOperator<StatefulSet> shape, Object... fields)
            throws Exception {
        Database database = CLUSTER.create(spec, shape);
        LastConversion last;
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            Declaration declaration = database.declare(fields);
            last = Objects.requireNonNull(
                    declaration.awaitConverged(DesiredState.ENABLED).lastConversion());
            declaration.assertOneTry(last);
            writer.awaitMore(10, Duration.ofSeconds(60));
            writer.close();
            assertThat(writer.missing()).isEmpty();
        }
        database.assertNothingLeft();
        database.assertWhole("on");
        return last;
    }
}

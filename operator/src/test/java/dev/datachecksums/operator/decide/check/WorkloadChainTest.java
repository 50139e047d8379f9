package dev.datachecksums.operator.decide.check;

import static dev.datachecksums.operator.decide.Observations.NOW;
import static dev.datachecksums.operator.decide.Observations.atRest;
import static dev.datachecksums.operator.decide.Workloads.volume;
import static dev.datachecksums.operator.decide.check.Asked.blocks;
import static dev.datachecksums.operator.decide.check.Asked.passes;
import static dev.datachecksums.operator.decide.check.Asked.waits;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.operator.decide.Observations;
import dev.datachecksums.operator.decide.Planner;
import dev.datachecksums.operator.decide.Servers;
import dev.datachecksums.operator.decide.Workloads;
import dev.datachecksums.operator.instance.WorkloadFacts.DataVolume;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a conversion in place asks of the workload, one by one. */
class WorkloadChainTest {

    private static final String CLAIM = "persistentVolumeClaim";

    static Stream<Arguments> table() {
        Permissions permissions = new Permissions();
        WorkloadKnown known = new WorkloadKnown();
        SingleReplica single = new SingleReplica();
        ContainerKnown container = new ContainerKnown();
        DataOnPersistentVolume volume = new DataOnPersistentVolume();
        WalIsMountPoint wal = new WalIsMountPoint();
        PodReady ready = new PodReady();
        PendingRollout rollout = new PendingRollout();
        DisruptionBudget budget = new DisruptionBudget();
        OtherPodsOnClaim others = new OtherPodsOnClaim();
        ClaimForOnePod onePod = new ClaimForOnePod();
        RolloutStopsFirst overlap = new RolloutStopsFirst();
        HoldPossible hold = new HoldPossible(new Planner(Gates.standard().standby()));
        return Stream.of(
                passes(permissions, "all", atRest()),
                blocks(
                        permissions,
                        "some lack",
                        atRest().forbidden("delete pods", "create jobs"),
                        "may not delete pods, create jobs in namespace shop"),
                passes(overlap, "none", atRest()),
                blocks(
                        overlap,
                        "a surge",
                        atRest().workload(w -> w.kind("Deployment").rolloutOverlap("it starts the next one beside it")),
                        "it starts the next one beside it...Recreate"),
                passes(hold, "a StatefulSet's", atRest().server(s -> s.bytes(10L << 30))),
                passes(hold, "short work", deployment(300L << 20)),
                passes(
                        hold,
                        "long work, and room for a copy",
                        deployment(10L << 30).standby(s -> {})),
                passes(hold, "off", deployment(10L << 30).state(DesiredState.DISABLED)),
                blocks(
                        hold,
                        "long work, and no room for a copy",
                        deployment(10L << 30).standby(s -> s.free(1L << 20)),
                        "about 1m8s, and the Deployment cannot be held...StatefulSet"),
                blocks(
                        hold,
                        "long work in place",
                        deployment(10L << 30).strategy(OfflineStrategy.IN_PLACE),
                        "cannot be held...TemporaryStandby"),
                blocks(
                        single,
                        "a Deployment of two",
                        atRest().workload(w -> w.kind("Deployment").replicas(2)),
                        "Deployment orders-db has 2 replicas"),
                passes(onePod, "none", atRest()),
                blocks(
                        onePod,
                        "one",
                        atRest().workload(w -> w.onePodClaims("data-orders-db-0")),
                        "data-orders-db-0 has the access mode ReadWriteOncePod"),
                passes(wal, "in the data directory", atRest()),
                passes(wal, "on a volume beside", atRest().workload(w -> w.volumes(mounted("/wal/pg_wal", "/wal")))),
                blocks(
                        wal,
                        "a mount",
                        atRest().workload(w -> w.volumes(mounted("/data/pg_wal", "/data/pg_wal"))),
                        "Volume wal is mounted on /data/pg_wal"),
                passes(known, "a StatefulSet", atRest()),
                passes(known, "external: said elsewhere", atRest().external()),
                blocks(known, "not there", atRest().workloadMissing("WorkloadNotFound"), "message of WorkloadNotFound"),
                blocks(
                        known,
                        "another kind",
                        atRest().workloadMissing("WorkloadUnknown"),
                        "message of WorkloadUnknown"),
                blocks(known, "may not read", atRest().workloadMissing("Forbidden"), "message of Forbidden"),
                waits(
                        known,
                        "the API is down",
                        atRest().workloadMissing("ApiUnavailable"),
                        "message of ApiUnavailable"),
                passes(single, "one", atRest()),
                passes(single, "not seen", atRest().workloadMissing("Forbidden")),
                blocks(single, "three", atRest().workload(w -> w.replicas(3)), "has 3 replicas...Scale it to 1"),
                blocks(single, "none", atRest().workload(w -> w.replicas(0).noPod()), "scaled to 0"),
                passes(container, "found", atRest()),
                passes(container, "no pod", atRest().workload(w -> w.noPod().noContainer())),
                blocks(
                        container,
                        "none mounts the data",
                        atRest().workload(Workloads::noContainer),
                        "No container...pgdata"),
                blocks(
                        container,
                        "an unknown one is named",
                        atRest().workload(w -> w.unknownContainer("postgress")),
                        "postgress...no such container"),
                passes(volume, "a claim", atRest()),
                passes(
                        volume,
                        "no container: said elsewhere",
                        atRest().workload(w -> w.noContainer().volumes())),
                passes(
                        volume,
                        "no superuser: said elsewhere",
                        atRest().server(Servers::noSuperuser).workload(Workloads::volumes)),
                blocks(volume, "unknown", atRest().workload(Workloads::volumes), "does not say where"),
                blocks(
                        volume,
                        "emptyDir",
                        atRest().workload(w -> w.volumes(volume("data directory", "emptyDir", null))),
                        "the data directory /var/lib/postgresql/data-directory is on volume data (emptyDir)"),
                blocks(
                        volume,
                        "a tablespace on hostPath",
                        atRest().workload(w -> w.volumes(
                                volume("data directory", CLAIM, "data"), volume("tablespace fast", "hostPath", null))),
                        "lost with the pod...: the tablespace fast...(hostPath)"),
                blocks(
                        volume,
                        "no volume",
                        atRest().workload(w -> w.volumes(volume("data directory", "none", null))),
                        "in the container's own file system"),
                passes(ready, "ready", atRest()),
                waits(ready, "no pod", atRest().workload(Workloads::noPod), "no pod yet"),
                waits(ready, "going", atRest().workload(w -> w.deleting(NOW)), "orders-db-0 is being deleted"),
                waits(ready, "not ready", atRest().workload(Workloads::notReady), "orders-db-0 is not ready"),
                passes(rollout, "none", atRest()),
                blocks(
                        rollout,
                        "one",
                        atRest().workload(w -> w.pendingRollout("revision 2")),
                        "waits for its rollout...revision 2"),
                passes(budget, "allows it", atRest()),
                blocks(budget, "does not", atRest().workload(w -> w.budgets("db", "all")), "db, all allows no"),
                passes(others, "none", atRest()),
                blocks(others, "two", atRest().workload(w -> w.otherPods("debug", "copy")), "debug, copy"));
    }

    @ParameterizedTest
    @MethodSource("table")
    void check(Asked row) {
        row.verify();
    }

    private static DataVolume mounted(String directory, String mountPath) {
        return new DataVolume(
                directory,
                "pg_wal",
                Optional.of("wal"),
                Optional.of("wal-orders-db-0"),
                CLAIM,
                Optional.of(mountPath),
                Optional.empty());
    }

    private static Observations deployment(long bytes) {
        return atRest().workload(w -> w.kind("Deployment")).server(s -> s.bytes(bytes));
    }
}

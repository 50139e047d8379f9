package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Gate;
import dev.datachecksums.operator.decide.Planner;
import java.util.List;

/** Builds the gate. */
public final class Gates {

    private Gates() {}

    /** Every check, in the order in which a person would want to hear of them. */
    public static Gate standard() {
        List<Check> standby = List.of(
                new StandbyFactsKnown(),
                new NoOnlineFunctions(),
                new WalLevel(),
                new FreeSlot(),
                new Tablespaces(),
                new Unlogged(),
                new AccessMethods(),
                new RoomForCopy(),
                new WalFloor(),
                new ExchangePossible());
        return new Gate(
                List.of(
                        new HostAllowed(),
                        new CredentialsPresent(),
                        new Reachable(),
                        new Authenticated(),
                        new GenuinePostgres(),
                        new DirectConnection(),
                        new Answered(),
                        new NodesKnown(),
                        new NotInRecovery(),
                        new SupportedVersion()),
                List.of(
                        new FunctionPresent(),
                        new StrategyAvailable(),
                        new InstanceDeclared(),
                        new Superuser(),
                        new SettledState(),
                        new IgnoreChecksumFailure(),
                        new Permissions(),
                        new WorkloadKnown(),
                        new SingleReplica(),
                        new RolloutStopsFirst(),
                        new RolesAreSettled(),
                        new ContainerKnown(),
                        new DataOnPersistentVolume(),
                        new ClaimForOnePod(),
                        new WalIsMountPoint(),
                        new PodReady(),
                        new PendingRollout(),
                        new DisruptionBudget(),
                        new OtherPodsOnClaim(),
                        new ReplicasKnown(),
                        new ConfigLoads(),
                        new AutoConfIsPlain(),
                        new ServerUser(),
                        new BackupRunning(),
                        new HoldPossible(new Planner(standby)),
                        new OutageFits(new Planner(standby))),
                List.of(
                        new FunctionPresent(),
                        new OnlineSuperuser(),
                        new OnlineFactsKnown(),
                        new KnownState(),
                        new IgnoreChecksumFailure(),
                        new InvalidDatabases(),
                        new WorkerSlots(),
                        new BackupRunning(),
                        new OldTransactions(),
                        new TempTables(),
                        new WalHeadroom(),
                        new ReplicaLag()),
                standby);
    }
}

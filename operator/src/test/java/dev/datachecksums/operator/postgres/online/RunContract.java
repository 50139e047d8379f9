package dev.datachecksums.operator.postgres.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerTarget;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a run does when nobody interferes, and what is refused. */
abstract class RunContract extends ContractFixture {

    @Test
    void enablesAndThenSaysNothingMoreOfIt() throws ServerException {
        assertThat(read().checksums()).isEqualTo(ChecksumState.OFF);
        world.server().enable(world.target(), Throttle.NONE);
        OnlineFacts after = awaitState(ChecksumState.ON);
        assertThat(after.progress()).isEqualTo(OnlineProgress.NONE);
    }

    @Test
    void disablesWithoutAPassOverTheData() throws ServerException {
        world.table("postgres", "large", LARGE);
        world.server().enable(world.target(), Throttle.NONE);
        long blocks = workerBlocks(awaitState(ChecksumState.ON));
        world.server().disable(world.target());
        OnlineFacts after = awaitState(ChecksumState.OFF);
        assertThat(workerBlocks(after)).isEqualTo(blocks);
    }

    @Test
    void repeatsOfWhatIsSoAlreadyAreNoErrors() throws ServerException {
        world.server().disable(world.target());
        awaitState(ChecksumState.OFF);
        world.server().enable(world.target(), Throttle.NONE);
        awaitState(ChecksumState.ON);
        world.server().enable(world.target(), Throttle.NONE);
        assertThat(awaitState(ChecksumState.ON).progress()).isEqualTo(OnlineProgress.NONE);
    }

    @Test
    void theLauncherCountsDatabasesAndTheWorkerWhatIsInIts() throws ServerException {
        OnlineFacts f = beginSlowly();
        assertThat(f.checksums()).isEqualTo(ChecksumState.INPROGRESS_ON);
        assertThat(launcher(f).process().step()).isEqualTo(Step.ENABLING);
        assertThat(launcher(f).databasesTotal()).isEqualTo((long) f.databases().size());
        assertThat(count(launcher(f).databasesDone())).isBetween(0L, 2L);
        assertThat(worker(f).process().step()).isEqualTo(Step.ENABLING);
        assertThat(worker(f).database()).isEqualTo("postgres");
        assertThat(f.databases())
                .anySatisfy(d -> assertThat(d.oid()).isEqualTo(worker(f).databaseOid()));
        assertThat(count(worker(f).relationsTotal()))
                .isGreaterThan(count(worker(f).relationsDone()));
        assertThat(count(worker(f).blocksTotal())).isGreaterThanOrEqualTo(LARGE);
        assertThat(count(worker(f).blocksDone())).isBetween(1L, count(worker(f).blocksTotal()));
    }

    /** But not how far it is: that needs pg_read_all_stats. */
    @Test
    void anybodyMaySeeThatItRuns() throws ServerException {
        beginSlowly();
        assertThat(world.rowsSeenByAnybody()).isEqualTo(2);
        assertThat(world.phasesSeenByAnybody()).isZero();
        world.server().disable(world.target());
        awaitState(ChecksumState.OFF);
        assertThat(world.rowsSeenByAnybody()).isZero();
    }

    @Test
    void theStatesHaveNumbersToo() throws ServerException {
        assertThat(world.version()).isZero();
        beginSlowly();
        assertThat(world.version()).isEqualTo(3);
        world.server().enable(world.target(), Throttle.NONE);
        awaitState(ChecksumState.ON);
        assertThat(world.version()).isEqualTo(1);
        try (OnlineWorld.Held frozen = world.frozen()) {
            world.server().disable(world.target());
            await(f -> f.checksums() == ChecksumState.INPROGRESS_OFF);
            assertThat(world.version()).isEqualTo(2);
        }
        awaitState(ChecksumState.OFF);
    }

    @Test
    void theCounterOfBlocksBeginsAnewWithEachRelation() throws ServerException {
        world.table("postgres", "small", 300);
        world.table("postgres", "smaller", 200);
        world.server().enable(world.target(), new Throttle(Duration.ofMillis(4), 100));
        List<Long> seen = new ArrayList<>();
        await(f -> {
            f.progress().worker().map(w -> count(w.blocksDone())).ifPresent(seen::add);
            return f.checksums() == ChecksumState.ON;
        });
        assertThat(seen).isNotEqualTo(seen.stream().sorted().toList());
    }

    @Test
    void theWorkerGoesThroughTheRelationsInTheOrderForetold() throws ServerException {
        world.table("postgres", "one", 400);
        world.table("postgres", "two", 400);
        List<RelationSize> foretold = world.server().relations(world.target(), true);
        assertThat(foretold)
                .filteredOn(r -> r.name().equals("public.one"))
                .singleElement()
                .satisfies(r -> {
                    assertThat(r.mainBytes()).isBetween(400L * OnlineFacts.BLOCK, 800L * OnlineFacts.BLOCK);
                    assertThat(r.bytes()).isGreaterThanOrEqualTo(r.mainBytes());
                });
        world.server().enable(world.target(), SLOW);
        OnlineFacts f =
                await(x -> relation(x).equals("public.two") && count(worker(x).blocksDone()) > 1);
        int done = Math.toIntExact(count(worker(f).relationsDone()));
        assertThat(foretold.get(done).name()).isEqualTo("public.two");
    }

    @Test
    void theBlocksOfAWorkerAreCountedWhenItEnds() throws ServerException {
        long before = workerBlocks(read());
        OnlineFacts f = beginSlowly();
        long finished = f.databases().stream()
                .takeWhile(d -> d.oid() != worker(f).databaseOid())
                .mapToLong(OnlineFacts.DatabaseSize::bytes)
                .sum();
        assertThat((workerBlocks(f) - before) * OnlineFacts.BLOCK).isLessThanOrEqualTo(finished + f.sharedBytes());
        world.server().enable(world.target(), Throttle.NONE);
        OnlineFacts after = awaitState(ChecksumState.ON);
        assertThat((workerBlocks(after) - before) * OnlineFacts.BLOCK)
                .isBetween(after.totalBytes() * 90 / 100, after.totalBytes() * 110 / 100);
    }

    @Test
    void asMuchWalIsWrittenAsThereIsData() throws ServerException {
        world.table("postgres", "large", LARGE);
        OnlineFacts before = read();
        world.server().enable(world.target(), Throttle.NONE);
        OnlineFacts after = awaitState(ChecksumState.ON);
        assertThat(after.wal().insertedBytes() - before.wal().insertedBytes())
                .isBetween(before.totalBytes() * 90 / 100, before.totalBytes() * 120 / 100);
    }

    @Test
    void aSecondCallIsNoSecondRunButAnotherThrottle() throws ServerException {
        OnlineFacts f = beginSlowly();
        world.server().enable(world.target(), Throttle.NONE);
        OnlineFacts soon = read();
        assertThat(launcher(soon).process().pid())
                .isEqualTo(launcher(f).process().pid());
        assertThat(soon.progress().worker().map(w -> w.process().pid()))
                .contains(worker(f).process().pid());
        awaitState(ChecksumState.ON);
    }

    @Test
    void anotherThrottleHoldsFromTheNextRelation() throws ServerException {
        world.table("postgres", "first", LARGE);
        world.table("postgres", "second", LARGE);
        world.server().enable(world.target(), SLOW);
        await(f -> relation(f).equals("public.first") && count(worker(f).blocksDone()) > 0);
        world.server().enable(world.target(), new Throttle(Duration.ofMillis(100), 21));
        // At ten blocks a second the first would take minutes.
        await(f -> relation(f).equals("public.second") && count(worker(f).blocksDone()) > 0);
        world.server().enable(world.target(), Throttle.NONE);
        // And unthrottled the second would be through with in a moment.
        for (int i = 0; i < 5; i++) {
            assertThat(relation(read())).isEqualTo("public.second");
        }
        world.server().disable(world.target());
        awaitState(ChecksumState.OFF);
    }

    @Test
    void databasesThatNobodyMayConnectToAreConvertedToo() throws ServerException {
        world.createClosedDatabase("closed");
        world.server().enable(world.target(), Throttle.NONE);
        awaitState(ChecksumState.ON);
    }

    @Test
    void aDatabaseCannotBeCopiedByItsFilesMeanwhile() throws ServerException {
        beginSlowly();
        assertThat(world.createDatabaseByFileCopy("copied")).isFalse();
        world.server().disable(world.target());
        awaitState(ChecksumState.OFF);
        assertThat(world.createDatabaseByFileCopy("copied")).isTrue();
    }

    @Test
    void aGrantIsNotEnough() {
        assertRefused(Refusal.NOT_SUPERUSER, world.granted());
        assertThat(read().checksums()).isEqualTo(ChecksumState.OFF);
    }

    @Test
    void anInvalidDatabaseIsRefusedByName() {
        world.createInvalidDatabase("halfway");
        assertThat(read().databases())
                .filteredOn(OnlineFacts.DatabaseSize::invalid)
                .extracting(OnlineFacts.DatabaseSize::name)
                .containsExactly("halfway");
        assertRefused(Refusal.INVALID_DATABASE, world.target());
        assertThatThrownBy(() -> world.server().enable(world.target(), Throttle.NONE))
                .hasMessageContaining("halfway");
    }

    @Test
    void withoutAFreeWorkerSlotItIsRefused() {
        world.restartWithWorkers(0);
        assertThat(read().slots().free()).isZero();
        assertRefused(Refusal.NO_WORKER_SLOT, world.target());
    }

    /** One is the logical replication launcher's, one the launcher's own: none is left for a worker. */
    @Test
    void oneFreeWorkerSlotIsNotEnough() throws ServerException {
        world.restartWithWorkers(2);
        assertThat(read().slots().free()).isEqualTo(1);
        world.server().enable(world.target(), Throttle.NONE);
        assertAborted();
    }

    @Test
    void aStandbyRefusesAndFollows() throws ServerException {
        try (OnlineWorld.Standby standby = world.standby()) {
            assertRefused(Refusal.IN_RECOVERY, standby.target());
            await(f -> !f.replicas().isEmpty() && f.replicas().get(0).lagBytes() != null);
            world.server().enable(world.target(), Throttle.NONE);
            awaitState(ChecksumState.ON);
            await(standby.target(), f -> f.checksums() == ChecksumState.ON);
        }
    }

    @Test
    void theVolumeOfTheWalHasRoom() throws ServerException {
        DiskSpace space = world.server().walSpace(world.target());
        assertThat(space.freeBytes()).isPositive().isLessThanOrEqualTo(space.totalBytes());
    }

    private void assertRefused(Refusal refusal, ServerTarget target) {
        assertThatThrownBy(() -> world.server().enable(target, Throttle.NONE))
                .isInstanceOfSatisfying(
                        ServerException.class, e -> assertThat(Refusal.of(e)).contains(refusal));
    }

    private static long workerBlocks(OnlineFacts f) {
        return f.workerBlocks().value().orElseThrow();
    }
}

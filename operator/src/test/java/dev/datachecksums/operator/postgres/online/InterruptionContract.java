package dev.datachecksums.operator.postgres.online;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Step;
import org.junit.jupiter.api.Test;

/** What ends a run before its time, and what is left then: off, nothing resumes, a new call starts at the first page. */
@SuppressWarnings("try")
abstract class InterruptionContract extends ContractFixture {

    @Test
    void disablingMeanwhileAbortsIt() throws ServerException {
        beginSlowly();
        world.server().disable(world.target());
        assertAborted();
    }

    @Test
    void enablingWorksAgainAfterADisable() throws ServerException {
        beginSlowly();
        world.server().disable(world.target());
        awaitState(ChecksumState.OFF);
        world.server().enable(world.target(), Throttle.NONE);
        awaitState(ChecksumState.ON);
    }

    @Test
    void aTerminatedWorkerIsTheEndOfIt() throws ServerException {
        beginSlowly();
        world.terminateWorker();
        assertAborted();
    }

    @Test
    void aCancelledLauncherIsTheEndOfIt() throws ServerException {
        beginSlowly();
        world.cancelLauncher();
        assertAborted();
    }

    @Test
    void aTerminatedLauncherIsTheEndOfIt() throws ServerException {
        beginSlowly();
        world.terminateLauncher();
        assertAborted();
    }

    @Test
    void aRestartIsTheEndOfItAndCanBeToldByTheServersStart() throws ServerException {
        OnlineFacts before = beginSlowly();
        world.restart();
        assertAborted();
        assertThat(read().serverStarted()).isAfter(before.serverStarted());
    }

    @Test
    void aPromotedStandbyHasNothingToResume() throws ServerException {
        try (OnlineWorld.Standby standby = world.standby()) {
            OnlineFacts before = beginSlowly();
            await(standby.target(), f -> f.checksums() == ChecksumState.INPROGRESS_ON);
            standby.promote();
            OnlineFacts after = await(standby.target(), f -> f.checksums() == ChecksumState.OFF);
            assertThat(after.progress()).isEqualTo(OnlineProgress.NONE);
            assertThat(after.timeline()).isGreaterThan(before.timeline());
        }
    }

    @Test
    void aNewRunStartsAtTheFirstPage() throws ServerException {
        OnlineFacts first = beginSlowly();
        world.terminateWorker();
        assertAborted();
        world.server().enable(world.target(), SLOW);
        OnlineFacts second = await(f -> f.progress().worker().isPresent());
        assertThat(count(launcher(second).databasesDone())).isZero();
        assertThat(launcher(second).process().started())
                .isAfter(launcher(first).process().started());
    }

    /** In 20devel the run goes on without it; 19beta3 was seen to abort. */
    @Test
    void aDatabaseDroppedMeanwhileLeavesTheRestConvertedOrTheRunAborted() throws ServerException {
        world.createDatabase("dropped");
        world.table("dropped", "large", LARGE);
        world.server().enable(world.target(), SLOW);
        await(f -> f.progress()
                        .worker()
                        .filter(w -> "dropped".equals(w.database()))
                        .isPresent()
                && relation(f).equals("public.large"));
        world.dropDatabase("dropped");
        OnlineFacts after = await(f -> f.progress().launcher().isEmpty());
        assertThat(after.checksums()).isIn(ChecksumState.ON, ChecksumState.OFF);
        assertThat(after.databases()).extracting(OnlineFacts.DatabaseSize::name).doesNotContain("dropped");
    }

    /** Case 14: nothing ends such a state by itself. */
    @Test
    void aLauncherKilledWhileDisablingLeavesItHalfwayUntilToldAgain() throws ServerException {
        world.server().enable(world.target(), Throttle.NONE);
        awaitState(ChecksumState.ON);
        try (OnlineWorld.Held frozen = world.frozen()) {
            world.server().disable(world.target());
            OnlineFacts f = await(x -> x.checksums() == ChecksumState.INPROGRESS_OFF
                    && x.progress()
                            .launcher()
                            .filter(l -> Waits.barrier(l.process()))
                            .isPresent());
            assertThat(launcher(f).process().step()).isEqualTo(Step.DISABLING);
            assertThat(launcher(f).databasesTotal()).isNull();
            assertThat(f.progress().worker()).isEmpty();
            world.terminateLauncher();
            await(x -> x.progress().launcher().isEmpty());
        }
        for (int i = 0; i < 20; i++) {
            assertThat(read().checksums()).isEqualTo(ChecksumState.INPROGRESS_OFF);
        }
        world.server().disable(world.target());
        awaitState(ChecksumState.OFF);
    }

    @Test
    void theServerSaysOnWhileItsLauncherStillWaitsForTheBarrier() throws ServerException {
        beginSlowly();
        try (OnlineWorld.Held frozen = world.frozen()) {
            world.server().enable(world.target(), Throttle.NONE);
            // The processes are read a moment before the state.
            OnlineFacts f = await(x ->
                    x.checksums() == ChecksumState.ON && x.progress().worker().isEmpty());
            assertThat(f.progress().launcher()).isPresent();
        }
        awaitState(ChecksumState.ON);
    }
}

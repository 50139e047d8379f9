package dev.datachecksums.operator.postgres.online;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Step;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a run waits for, and how the session behind it is found and ended. */
@SuppressWarnings("try")
abstract class BlockerContract extends ContractFixture {

    /** Case 7. */
    @Test
    void aTransactionThatHasWrittenHoldsItUpBeforeItsStart() throws ServerException {
        try (OnlineWorld.Held writer = world.writer()) {
            world.server().enable(world.target(), Throttle.NONE);
            OnlineFacts f = await(x -> x.progress()
                    .launcher()
                    .filter(l -> l.process().waitsFor("ChecksumEnableStartcondition"))
                    .isPresent());
            assertThat(f.checksums()).isEqualTo(ChecksumState.INPROGRESS_ON);
            assertThat(f.progress().worker()).isEmpty();
            assertThat(launcher(f).databasesTotal()).isNull();
            assertThat(launcher(f).process().activity()).startsWith("Waiting for transactions older than ");
            long waitsFor = Waits.forTransactionsBefore(launcher(f)).orElseThrow();
            assertThat(f.oldTransactions()).hasSize(1).allSatisfy(t -> {
                assertThat(t.before(waitsFor)).isTrue();
                assertThat(t).isInstanceOfSatisfying(OldTransaction.OfSession.class, s -> {
                    assertThat(s.session().user()).isEqualTo("postgres");
                    assertThat(s.session().state()).isEqualTo("idle in transaction");
                    assertThat(s.session().query()).isNull();
                });
            });
        }
        awaitState(ChecksumState.ON);
    }

    @Test
    void aTransactionThatHasOnlyReadDoesNot() throws ServerException {
        try (OnlineWorld.Held reader = world.reader()) {
            world.server().enable(world.target(), Throttle.NONE);
            assertThat(awaitState(ChecksumState.ON).oldTransactions()).isEmpty();
        }
    }

    /** Its process takes no note of the new state: the run does not come to its start. */
    @Test
    void aCommitThatNoStandbyConfirmsHoldsUpTheBarrier() throws ServerException {
        try (OnlineWorld.Held commit = world.unconfirmed()) {
            world.server().enable(world.target(), Throttle.NONE);
            OnlineFacts f = await(x -> x.progress()
                    .launcher()
                    .filter(l -> Waits.barrier(l.process()))
                    .isPresent());
            assertThat(f.checksums()).isEqualTo(ChecksumState.INPROGRESS_ON);
            assertThat(f.oldTransactions())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            OldTransaction.OfSession.class,
                            s -> assertThat(s.session().waits()).isEqualTo("IPC:SyncRep"));
        }
        awaitState(ChecksumState.ON);
    }

    @Test
    void temporaryTablesHoldUpTheEndOfTheirDatabase() throws ServerException {
        try (OnlineWorld.Held session = world.temporaryTable("postgres")) {
            world.server().enable(world.target(), Throttle.NONE);
            OnlineFacts f = await(x -> x.progress()
                    .worker()
                    .filter(w -> w.process().step() == Step.WAITING_ON_TEMPORARY_TABLES)
                    .isPresent());
            assertThat(worker(f).relationsDone()).isEqualTo(worker(f).relationsTotal());
            assertThat(world.server().temporaryTables(world.target()))
                    .hasSize(1)
                    .allSatisfy(t -> {
                        assertThat(t.count()).isPositive();
                        assertThat(t.session()).isPresent();
                    });
            assertThat(read().checksums()).isEqualTo(ChecksumState.INPROGRESS_ON);
        }
        awaitState(ChecksumState.ON);
        assertThat(world.server().temporaryTables(world.target())).isEmpty();
    }

    @Test
    void temporaryTablesMadeAfterItsWorkersStartDoNot() throws ServerException {
        beginSlowly();
        try (OnlineWorld.Held session = world.temporaryTable("postgres")) {
            world.server().enable(world.target(), Throttle.NONE);
            awaitState(ChecksumState.ON);
        }
    }

    /** Case 6: one that is made during the run holds it up all the same, if its database comes later. */
    @Test
    void temporaryTablesOfALaterDatabaseMadeDuringTheRunDo() throws ServerException {
        world.createDatabase("later");
        beginSlowly();
        try (OnlineWorld.Held session = world.temporaryTable("later")) {
            world.server().enable(world.target(), Throttle.NONE);
            OnlineFacts f = await(x -> x.progress()
                    .worker()
                    .filter(w -> w.process().waitsFor(Waits.TEMPORARY_TABLES))
                    .isPresent());
            assertThat(worker(f).process().step()).isEqualTo(Step.WAITING_ON_TEMPORARY_TABLES);
            assertThat(worker(f).database()).isEqualTo("later");
            assertThat(world.server().temporaryTables(world.target("later"))).hasSize(1);
        }
        awaitState(ChecksumState.ON);
    }

    @Test
    void aLockedTableHoldsItUpAndTheHolderIsKnown() throws ServerException {
        world.table("postgres", "large", LARGE);
        world.table("postgres", "locked", 10);
        world.server().enable(world.target(), SLOW);
        await(f -> relation(f).equals("public.large"));
        try (OnlineWorld.Held lock = world.lock("postgres", "locked")) {
            world.server().enable(world.target(), Throttle.NONE);
            OnlineFacts f = await(x -> !x.lockHolders().isEmpty());
            assertThat(worker(f).process().waitsForType("Lock")).isTrue();
            assertThat(f.lockHolders()).hasSize(1);
        }
        awaitState(ChecksumState.ON);
    }

    @Test
    void aSessionIsEndedOnlyIfItIsStillTheSame() throws ServerException {
        try (OnlineWorld.Held session = world.temporaryTable("postgres")) {
            Optional<SessionFacts> owner =
                    world.server().temporaryTables(world.target()).get(0).session();
            SessionId id = owner.orElseThrow().id();
            SessionId another = new SessionId(id.pid(), id.started().minusSeconds(1));
            assertThat(world.server().terminate(world.target(), List.of(another)))
                    .isEmpty();
            assertThat(world.server().temporaryTables(world.target())).hasSize(1);
            assertThat(world.server().terminate(world.target(), List.of(id))).containsExactly(id);
            org.awaitility.Awaitility.await()
                    .untilAsserted(() -> assertThat(world.server().temporaryTables(world.target()))
                            .isEmpty());
        }
    }

    @Test
    void aRunThatWaitsGoesOnOnceTheSessionIsEnded() throws ServerException {
        try (OnlineWorld.Held writer = world.writer()) {
            world.server().enable(world.target(), Throttle.NONE);
            OnlineFacts f = await(x -> x.progress()
                            .launcher()
                            .filter(l -> l.process().waitsFor("ChecksumEnableStartcondition"))
                            .isPresent()
                    && !x.oldTransactions().isEmpty());
            OldTransaction.OfSession old =
                    (OldTransaction.OfSession) f.oldTransactions().get(0);
            world.server().terminate(world.target(), List.of(old.session().id()));
            awaitState(ChecksumState.ON);
        }
    }
}

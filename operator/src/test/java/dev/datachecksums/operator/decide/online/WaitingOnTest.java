package dev.datachecksums.operator.decide.online;

import static dev.datachecksums.operator.decide.online.Given.NOW;
import static dev.datachecksums.operator.decide.online.Given.old;
import static dev.datachecksums.operator.decide.online.Given.server;
import static dev.datachecksums.operator.decide.online.Given.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.postgres.online.OldTransaction;
import dev.datachecksums.operator.postgres.online.TemporaryTables;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WaitingOnTest {
    private static final String START = "IPC:ChecksumEnableStartcondition";
    private static final String OLDER = "Waiting for transactions older than 800 to end";

    @Test
    void nothingWhileItWorks() {
        assertThat(of(server())).isEmpty();
        assertThat(of(server().launcher(0).worker(1, null, "processing: public.a (main, 9 blocks)", 0, 3)))
                .isEmpty();
        assertThat(of(server().launcher(0).worker(1, "IO:DataFileRead", null, 0, 3)))
                .isEmpty();
    }

    @Test
    void transactionsThatAreOlderThanTheRunAndNoOthers() {
        WaitingOn w = of(server().launcher(START, OLDER, null, null)
                        .old(old(750, 11))
                        .old(old(800, 12)))
                .orElseThrow();
        assertThat(w.reason()).isEqualTo("OldTransaction");
        assertThat(w.message())
                .contains("process 11 of user app, application billing, database db1, idle in transaction")
                .contains("transaction open for 12m")
                .contains("last statement begun at 2026-11-30T11:50:00Z")
                .doesNotContain("process 12");
        assertThat(w.sessions()).extracting(s -> s.pid()).containsExactly(11);
    }

    @Test
    void nobodyWhereTheLastOfThemHasJustEnded() {
        assertThat(of(server().launcher(START, OLDER, null, null).old(old(801, 12))))
                .isEmpty();
    }

    /** Another version may word it otherwise. */
    @Test
    void nobodyIsEndedWhereTheLauncherDoesNotSayForWhomItWaits() {
        WaitingOn w = of(server().launcher(START, "Waiting for something else", null, null)
                        .old(old(750, 11)))
                .orElseThrow();
        assertThat(w.message()).contains("process 11");
        assertThat(w.sessions()).isEmpty();
    }

    @Test
    void transactionIdsWrapAround() {
        assertThat(old(4_294_967_000L, 1).before(800)).isTrue();
        assertThat(old(800, 1).before(4_294_967_000L)).isFalse();
    }

    @Test
    void preparedTransactionsBelongToNoSession() {
        WaitingOn w = of(server().launcher(START, OLDER, null, null)
                        .old(new OldTransaction.Prepared(700, NOW.minusSeconds(60), "order-7", "app", "db1")))
                .orElseThrow();
        assertThat(w.message()).contains("prepared transaction order-7 of app");
        assertThat(w.remedy()).contains("ROLLBACK PREPARED");
        assertThat(w.sessions()).isEmpty();
    }

    @Test
    void commitsThatNoStandbyConfirmsAreNotEnded() {
        WaitingOn w = of(server().launcher(START, OLDER, null, null)
                        .old(new OldTransaction.OfSession(700, NOW, session(11, "IPC:SyncRep"))))
                .orElseThrow();
        assertThat(w.reason()).isEqualTo("SyncReplication");
        assertThat(w.sessions()).isEmpty();
    }

    /** Nor do they take note of a barrier: that is what a run finds first. */
    @Test
    void commitsThatNoStandbyConfirmsHoldUpTheBarrier() {
        WaitingOn w = of(server().launcher("IPC:ProcSignalBarrier", null, null, null)
                        .old(new OldTransaction.OfSession(700, NOW, session(11, "IPC:SyncRep"))))
                .orElseThrow();
        assertThat(w.reason()).isEqualTo("SyncReplication");
        assertThat(w.message()).contains("process 11");
        assertThat(w.sessions()).isEmpty();
    }

    @Test
    void temporaryTablesBySession() {
        WaitingOn w = WaitingOn.of(
                        server().launcher(1).waitingOnTemporaryTables(2).facts(),
                        List.of(
                                new TemporaryTables("pg_temp_3", 2, Optional.of(session(21, null))),
                                new TemporaryTables("pg_temp_9", 1, Optional.empty())),
                        Optional.empty(),
                        NOW)
                .orElseThrow();
        assertThat(w.reason()).isEqualTo("TemporaryTables");
        assertThat(w.message()).contains("db2").contains("process 21").contains("left behind by a crash");
        assertThat(w.remedy()).contains("DROP SCHEMA pg_temp_9 CASCADE");
        assertThat(w.sessions()).extracting(s -> s.pid()).containsExactly(21);
    }

    @Test
    void locksWithTheirHolder() {
        WaitingOn w = of(server().launcher(0)
                        .worker(1, "Lock:relation", null, 0, 0)
                        .lockHolder(session(31, null)))
                .orElseThrow();
        assertThat(w.reason()).isEqualTo("LockWait");
        assertThat(w.message()).contains("process 31");
        assertThat(w.sessions()).isEmpty();
    }

    @Test
    void theBarrierByWhateverCaseItsNameHas() {
        assertThat(reason(server().launcher("IPC:ProcSignalBarrier", null, 3L, 3L)))
                .isEqualTo("Barrier");
        assertThat(reason(server().launcher("IPC:ProcsignalBarrier", null, null, null)))
                .isEqualTo("Barrier");
    }

    @Test
    void aWorkerThatIsNotThere() {
        assertThat(reason(server().launcher("IPC:BgworkerStartup", null, 3L, 1L)))
                .isEqualTo("WorkerGone");
    }

    @Test
    void aThrottleThatMakesDaysOfIt() {
        Given throttled = server().launcher(0).worker(1, "Timeout:VacuumDelay", null, 0, 3);
        assertThat(WaitingOn.of(throttled.facts(), List.of(), Optional.of(Duration.ofHours(23)), NOW))
                .isEmpty();
        WaitingOn w = WaitingOn.of(throttled.facts(), List.of(), Optional.of(Duration.ofDays(6)), NOW)
                .orElseThrow();
        assertThat(w.reason()).isEqualTo("ThrottleTooTight");
        assertThat(w.message()).contains("about 6 days");
        // Between its pauses it is no other.
        assertThat(WaitingOn.of(
                        server().launcher(0).worker(1, null, null, 0, 3).facts(),
                        List.of(),
                        Optional.of(Duration.ofDays(6)),
                        NOW))
                .isPresent();
    }

    private static Optional<WaitingOn> of(Given given) {
        return WaitingOn.of(given.facts(), List.of(), Optional.empty(), NOW);
    }

    private static String reason(Given given) {
        return of(given).map(WaitingOn::reason).orElse("");
    }
}

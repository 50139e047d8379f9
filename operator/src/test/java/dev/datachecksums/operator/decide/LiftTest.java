package dev.datachecksums.operator.decide;

import static dev.datachecksums.operator.decide.Observations.NOW;
import static dev.datachecksums.operator.decide.Observations.TRY;
import static dev.datachecksums.operator.decide.Observations.givingUp;
import static dev.datachecksums.operator.decide.WaysBack.lift;
import static dev.datachecksums.operator.decide.WaysBack.row;
import static dev.datachecksums.operator.decide.WaysBack.says;
import static dev.datachecksums.operator.offline.Step.LIFTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.offline.JobNames;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The transitions of a try that is given up, while Jobs lift. */
class LiftTest {

    private static final Class<Decision.Nothing> NOTHING = Decision.Nothing.class;
    private static final Class<Decision.LiftByJob> LIFT = Decision.LiftByJob.class;
    private static final String WHY = "NotClean: it was not clean";

    private static Observations back() {
        return givingUp(WHY);
    }

    private static Observations held() {
        return back().workload(w -> w.held().deleting(NOW.minusSeconds(5)).ended());
    }

    static Stream<Arguments> liftJobs() {
        Jobs failed = Jobs.lift(1).created(NOW.minusSeconds(4)).failed("WalAmbiguous", false);
        return Stream.of(
                row("it runs", held().job(Jobs.lift(1)), NOTHING),
                row(
                        "it waits",
                        held().job(Jobs.lift(1).pending().problem("no node fits")),
                        NOTHING,
                        says("no node fits")),
                row(
                        "it waits for minutes",
                        held().job(Jobs.lift(1).pending().created(NOW.minusSeconds(301))),
                        Decision.DeleteJob.class),
                row(
                        "it waits, and the operator's clock is an hour ahead of the API server's",
                        held().job(Jobs.lift(1)
                                .pending()
                                .created(NOW.minusSeconds(3600))
                                .asked(NOW.minusSeconds(9))),
                        NOTHING),
                row(
                        "it could not lift, and the clock was set back since",
                        held().job(Jobs.lift(1).created(NOW.plusSeconds(3600)).failed("WalAmbiguous", false)),
                        LIFT,
                        lift(2)),
                row("it lifted", held().job(Jobs.lift(1).said(LIFTED).ended(0)), Decision.Release.class),
                row("it lifted, and its pod runs yet", held().job(Jobs.lift(1).said(LIFTED)), Decision.Release.class),
                row(
                        "nothing of ours stands, and pg_wal is nowhere",
                        back().job(Jobs.lift(1).created(NOW.minusSeconds(4)).failed("WalMissing", true)),
                        NOTHING,
                        says("message of WalMissing")),
                row(
                        "nothing of ours stands, pg_wal is nowhere, and the resource is deleted",
                        back().deleting().job(Jobs.lift(1).failed("WalMissing", true)),
                        Decision.EndTry.class),
                row("it could not lift", held().job(failed), NOTHING, v -> {
                    assertThat(v.message()).contains("message of WalAmbiguous");
                    assertThat(v.until()).contains(NOW.plusSeconds(6));
                }),
                row(
                        "it could not lift, ten seconds ago",
                        held().at(NOW.plusSeconds(6)).job(failed),
                        LIFT,
                        lift(2)),
                row(
                        "the second could not either: it takes twice the time",
                        held().job(Jobs.lift(2).created(NOW.minusSeconds(19)).failed("WalAmbiguous", false)),
                        NOTHING),
                row(
                        "the second could not either, and the first has been removed",
                        held().job(Jobs.lift(2).created(NOW.minusSeconds(20)).failed("WalAmbiguous", false)),
                        LIFT,
                        lift(3)),
                row(
                        "there are many: the oldest goes",
                        held().job(old(12)).job(old(13)).job(old(14)).job(old(15)),
                        Decision.DeleteJob.class,
                        v -> assertThat(((Decision.DeleteJob) v.decision()).job())
                                .isEqualTo(JobNames.lift(TRY, 12))),
                row(
                        "that of another try proves nothing",
                        held().job(Jobs.lift("dck-orders-99999999", 1)
                                .said(LIFTED)
                                .ended(0)),
                        LIFT,
                        lift(1)),
                row(
                        "it lifted, and a pod made since then met the interlock again",
                        back().job(Jobs.lift(1)
                                        .created(NOW.minusSeconds(40))
                                        .said(LIFTED)
                                        .ended(0))
                                .workload(w -> w.uid("uid-pod-2")
                                        .crashing()
                                        .interlockInLog()
                                        .created(NOW)),
                        LIFT,
                        lift(2)),
                row(
                        "it lifted, and the pod met the interlock before",
                        back().job(Jobs.lift(1).created(NOW).said(LIFTED).ended(0))
                                .workload(w -> w.uid("uid-pod-2")
                                        .crashing()
                                        .interlockInLog()
                                        .created(NOW.minusSeconds(9))),
                        Decision.RestartPod.class));
    }

    private static Jobs old(int n) {
        return Jobs.lift(n).created(NOW.minusSeconds(600)).failed("WalAmbiguous", false);
    }

    @ParameterizedTest
    @MethodSource("liftJobs")
    void transition(Case row) {
        row.verify();
    }
}

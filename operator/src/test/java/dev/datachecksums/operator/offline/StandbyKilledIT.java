package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.offline.StandbyFixture.Way;
import dev.datachecksums.operator.postgres.LocalPostgres.StopMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Killed wherever it is: the rows are there, the server serves, and nothing is left but what it said. */
class StandbyKilledIT {
    private static final TestShell SH = TestShell.system();
    private static final List<String> SERVING =
            List.of("copying", "copied", "recovered", "copyConverted", "verifying", "ready", "armed");

    /**
     * Points all over the switch: before every so manieth call of a program that changes something, until a run gets through. Each kill is followed by a
     * lift, or by the same Job started again, and by the next try on the same directory.
     */
    @ParameterizedTest
    @CsvSource({"ATOMIC, 3", "JOURNAL, 5"})
    void killedBetweenStopAndStart(Way way, int each) {
        try (StandbyFixture f = StandbyFixture.withoutChecksums()) {
            boolean through = false;
            int killed = 0;
            for (int call = 1; !through; call += each) {
                FakeTools tools = new FakeTools(f.postgres())
                        .pauseBeforeNth(call, "mv", "ln", "cp", "mkdir", "perl", "postgres", "rm");
                AgentRun run = f.run(SH, "enable", way, tools);
                f.arm(run);
                tools.count();
                f.postgres().stop(StopMode.FAST);
                awaitPausedOr(() -> run.steps().contains("lifted"), tools);
                if (!tools.isPaused()) {
                    f.postgres().start();
                    awaitPausedOr(run::ended, tools);
                }
                through = !tools.isPaused();
                if (through) {
                    run.awaitEnd(0);
                    f.assertServes("on");
                } else {
                    killed++;
                    run.killContainer();
                    boolean swapped = restore(f, way, call);
                    f.assertServes(swapped ? "on" : "off");
                    f.postgres().execute("insert into kept values (" + (100_000 + call) + ", 'after the kill')");
                    f.rowsAre();
                    disable(f, swapped);
                }
            }
            assertThat(killed).isGreaterThan(4);
            f.assertEveryPageSound();
        }
    }

    private static void awaitPausedOr(BooleanSupplier there, FakeTools tools) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> tools.isPaused() || there.getAsBoolean());
    }

    /** Puts the instance back into service as the operator does; whether it came back with checksums. */
    private static boolean restore(StandbyFixture f, Way way, int call) {
        if (call % 4 == 0 && !f.postgres().isRunning()) {
            f.run(SH, "enable", way, Map.of()).awaitFailure(1, "NotServing");
        } else {
            AgentRun lift = f.run(SH, "lift", way, Map.of());
            lift.awaitEnd(0);
            assertThat(lift.steps()).contains("lifted");
        }
        if (!f.postgres().isRunning()) {
            f.postgres().start();
        }
        boolean swapped = "on".equals(f.postgres().query("show data_checksums"));
        if (swapped) {
            // The old directory was kept until a server has started on the new one.
            f.run(SH, "lift", way, Map.of()).awaitEnd(0);
        }
        return swapped;
    }

    private static void disable(StandbyFixture f, boolean converted) {
        if (converted) {
            f.postgres().stop(StopMode.FAST);
            f.postgres()
                    .run(
                            "pg_checksums",
                            "--disable",
                            "--no-sync",
                            "-D",
                            f.data().toString())
                    .orThrow();
            f.postgres().start();
        }
    }

    @ParameterizedTest
    @CsvSource({"ATOMIC, true"})
    void killedWhileTheServerServes(Way way, boolean lift) {
        try (StandbyFixture f = StandbyFixture.withoutChecksums()) {
            for (String step : SERVING) {
                AgentRun run = f.run(SH, "enable", way, Map.of());
                if (step.equals("armed")) {
                    f.arm(run);
                }
                run.awaitStep(step);
                run.killContainer();
                if (lift) {
                    f.run(SH, "lift", way, Map.of()).awaitEnd(0);
                } else {
                    AgentRun again = f.run(SH, "enable", way, Map.of());
                    again.awaitStep("copying");
                    again.signal("TERM");
                    again.awaitFailure(143, "Stopped");
                }
                assertThat(f.postgres().isRunning()).isTrue();
                f.assertServes("off");
            }
            f.switchOver(f.run(SH, "enable", way, Map.of()));
            f.assertServes("on");
            f.assertEveryPageSound();
        }
    }
}

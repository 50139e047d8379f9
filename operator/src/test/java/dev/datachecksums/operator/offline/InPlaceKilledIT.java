package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.datachecksums.operator.postgres.LocalPostgres.StopMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Killed, or told to stop, wherever it is: the rows are there and the server starts. */
class InPlaceKilledIT {
    private static final TestShell SH = TestShell.system();

    /** A place in the script's way, and what the server says about checksums when it was interrupted there. */
    enum Place {
        READY("off"),
        ARMED("off"),
        STOPPED("off"),
        WAL_AWAY("off"),
        BEFORE_CHECKSUMS("off"),
        REWRITING("off"),
        CONVERTED("on"),
        BEFORE_WAL_IS_BACK("on"),
        WAL_BACK("on"),
        LINE_OUT("on");

        final String checksums;

        Place(String checksums) {
            this.checksums = checksums;
        }

        FakeTools tools(FakeTools tools) {
            return switch (this) {
                case READY, ARMED -> tools;
                case STOPPED -> tools.pauseBefore("mv", 1);
                case WAL_AWAY -> tools.pauseAfter("mv", 1);
                // The first call asks for its version.
                case BEFORE_CHECKSUMS -> tools.pauseBefore("pg_checksums", 2);
                case REWRITING -> tools.stopMidRewrite();
                case CONVERTED -> tools.pauseAfter("pg_checksums", 2);
                case BEFORE_WAL_IS_BACK -> tools.pauseBefore("mv", 2);
                case WAL_BACK -> tools.pauseBefore("mv", 3);
                case LINE_OUT -> tools.pauseAfter("mv", 3);
            };
        }

        boolean paused() {
            return this != READY && this != ARMED;
        }

        boolean canBeHadUnder(TestShell shell) {
            return switch (this) {
                case STOPPED, WAL_AWAY, BEFORE_WAL_IS_BACK, WAL_BACK, LINE_OUT -> !shell.ownToolsFirst();
                case READY, ARMED, BEFORE_CHECKSUMS, REWRITING, CONVERTED -> true;
            };
        }
    }

    @RegisterExtension
    static final SharedServer SHARED = new SharedServer();

    /** A running server without checksums, to be closed; the shared one where that does not need a fresh directory. */
    private static InPlaceFixture at(Place place) {
        if (place == Place.REWRITING) {
            return InPlaceFixture.withoutChecksums();
        }
        return SHARED.borrowed();
    }

    private static AgentRun runTo(Place place, InPlaceFixture f, TestShell shell, FakeTools tools) {
        AgentRun run = f.run(shell, "enable", place.tools(tools), Map.of());
        run.awaitStep("ready");
        if (place != Place.READY) {
            f.arm(run);
        }
        if (place.paused()) {
            f.postgres().stop(StopMode.FAST);
            tools.awaitPaused();
        }
        return run;
    }

    static List<Arguments> killed() {
        List<Arguments> all = new ArrayList<>();
        for (TestShell shell : TestShell.installed()) {
            for (Place place : Place.values()) {
                if (place.canBeHadUnder(shell)) {
                    all.add(Arguments.of(place, shell));
                }
            }
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("killed")
    void killedThenLifted(Place place, TestShell shell) {
        try (InPlaceFixture f = at(place)) {
            runTo(place, f, shell, new FakeTools(f.postgres())).killContainer();
            AgentRun lift = f.run(shell, "lift", Map.of());
            lift.awaitEnd(0);
            assertThat(lift.steps()).endsWith("lifted");
            assertThat(lift.steps().contains("restored")).isEqualTo(place != Place.READY && place != Place.LINE_OUT);
            f.assertServes(place.checksums);
        }
    }

    /** The same Job's pod is made again and starts in the state that the killed one left: it restores, and says that nothing serves. */
    @ParameterizedTest
    @EnumSource(names = {"WAL_AWAY", "REWRITING", "WAL_BACK"})
    void killedThenStartedAgain(Place place) {
        try (InPlaceFixture f = at(place)) {
            runTo(place, f, SH, new FakeTools(f.postgres())).killContainer();
            AgentRun again = f.run(SH, "enable", Map.of());
            again.awaitFailure(1, "NotServing");
            assertThat(again.steps()).contains("restored");
            f.assertServes(place.checksums);
        }
    }

    @Test
    void afterAKilledRunTheNextOneConverts() {
        try (InPlaceFixture f = InPlaceFixture.withoutChecksums()) {
            runTo(Place.REWRITING, f, SH, new FakeTools(f.postgres())).killContainer();
            f.run(SH, "lift", Map.of()).awaitEnd(0);
            f.assertServes("off");
            f.postgres().execute("update kept set word = reverse(word)", "checkpoint");
            AgentRun run = f.run(SH, "enable", Map.of());
            f.armAndStop(run);
            run.awaitEnd(0);
            f.assertServes("on");
            f.assertEveryPageSound();
        }
    }

    @ParameterizedTest
    @MethodSource("killed")
    void toldToStopItLiftsByItself(Place place, TestShell shell) {
        try (InPlaceFixture f = at(place)) {
            FakeTools tools = new FakeTools(f.postgres());
            AgentRun run = runTo(place, f, shell, tools);
            run.signal("TERM");
            if (place.paused() && place != Place.REWRITING) {
                // A tool that works is let work to its end; pg_checksums is not.
                tools.release();
            }
            JsonNode last = run.awaitEnd(143);
            assertThat(last.path("reason").asText()).isEqualTo("Stopped");
            assertThat(last.path("lifted").asBoolean()).isTrue();
            f.assertServes(place.checksums);
        }
    }

    /** Images differ in the signal that stops them. */
    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "QUIT", "HUP"})
    void everySignalThatStopsAContainerLiftsInTheMiddleOfTheRewrite_A4(String signal) {
        try (InPlaceFixture f = InPlaceFixture.withoutChecksums()) {
            AgentRun run = runTo(Place.REWRITING, f, SH, new FakeTools(f.postgres()));
            List<ProcessHandle> working = run.processes("pg_checksums");
            assertThat(working).hasSize(1);
            run.signal(signal);
            run.awaitFailure(143, "Stopped");
            // Ended before the server was allowed to start, not after.
            assertThat(working).noneMatch(ProcessHandle::isAlive);
            f.assertServes("off");
        }
    }

    /** Nothing may write to the files of a server that can start: who lifts waits for the orphan, and the orphan is ended. */
    @ParameterizedTest
    @MethodSource("shells")
    void onlyTheShellIsKilled(TestShell shell) {
        try (InPlaceFixture f = InPlaceFixture.withoutChecksums()) {
            AgentRun run = runTo(Place.REWRITING, f, shell, new FakeTools(f.postgres()));
            run.killShellAlone();
            f.run(shell, "lift", Map.of()).awaitEnd(0);
            f.assertServes("off");
        }
    }

    static List<TestShell> shells() {
        return TestShell.installed();
    }
}

package dev.datachecksums.operator.decide.check;

import static dev.datachecksums.operator.decide.Observations.NOW;
import static dev.datachecksums.operator.decide.Observations.atRest;
import static dev.datachecksums.operator.decide.check.Asked.blocks;
import static dev.datachecksums.operator.decide.check.Asked.passes;
import static dev.datachecksums.operator.decide.check.Asked.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Observations;
import dev.datachecksums.operator.decide.Servers;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.ServerFacts.Tablespace;
import dev.datachecksums.operator.postgres.online.DiskSpace;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a copy needs, one by one. */
class StandbyChainTest {

    private static final long GIB = 1L << 30;

    private static Observations copy() {
        return atRest().strategy(OfflineStrategy.TEMPORARY_STANDBY).standby(s -> {});
    }

    static Stream<Arguments> server() {
        return Stream.of(
                passes(new StandbyFactsKnown(), "known", copy()),
                passes(new StandbyFactsKnown(), "nobody asked", copy().standbyMissing(Observation.NOT_ASKED)),
                waits(new StandbyFactsKnown(), "no answer", copy().standbyMissing("TimedOut"), "message of TimedOut"),
                passes(new NoOnlineFunctions(), "none", copy()),
                blocks(
                        new NoOnlineFunctions(),
                        "there",
                        copy().server(Servers::functions),
                        "switch a converted copy off again...PreferOnline"),
                passes(new WalLevel(), "replica", copy()),
                passes(new WalLevel(), "logical", copy().standby(s -> s.level("logical"))),
                blocks(new WalLevel(), "minimal", copy().standby(s -> s.level("minimal")), "wal_level...replica"),
                passes(new FreeSlot(), "one", copy().standby(s -> s.slots(1))),
                blocks(new FreeSlot(), "none", copy().standby(s -> s.slots(0)), "max_replication_slots"),
                passes(new Tablespaces(), "none", copy()),
                blocks(
                        new Tablespaces(),
                        "one",
                        copy().server(s -> s.tablespaces(Answer.given(List.of(new Tablespace("fast", "/fast"))))),
                        "fast...InPlace"),
                waits(
                        new Tablespaces(),
                        "no answer",
                        copy().server(s -> s.tablespaces(Answer.absent("took 10 s"))),
                        "took 10 s"));
    }

    static Stream<Arguments> contents() {
        return Stream.of(
                passes(new Unlogged(), "none", copy()),
                blocks(
                        new Unlogged(),
                        "some",
                        copy().standby(s -> s.unlogged(Answer.given(List.of("3 in database shop")))),
                        "3 in database shop...SET LOGGED"),
                waits(
                        new Unlogged(),
                        "no answer",
                        copy().standby(s -> s.unlogged(Answer.absent("took 10 s"))),
                        "took 10 s"),
                passes(new AccessMethods(), "the server's own", copy()),
                blocks(
                        new AccessMethods(),
                        "an extension's",
                        copy().standby(s -> s.methods(Answer.given(List.of("pgroonga in database shop")))),
                        "pgroonga in database shop...InPlace"),
                blocks(
                        new AccessMethods(),
                        "WAL of its own",
                        copy().standby(s -> s.managers(Answer.given(List.of("columnar")))),
                        "resource manager columnar"),
                blocks(
                        new AccessMethods(),
                        "a database that nobody may look into",
                        copy().standby(s -> s.closed("vault")),
                        "vault...no connections"),
                waits(
                        new AccessMethods(),
                        "no answer",
                        copy().standby(s -> s.methods(Answer.absent("took 10 s"))),
                        "took 10 s"));
    }

    static Stream<Arguments> room() {
        // 300 MB of data, 1 GiB of WAL, 5 GiB left alone of 100
        long needed = 300_000_000L + GIB + 5 * GIB;
        AttemptsStatus refused = new AttemptsStatus(1, "BadPath", "The path has a space.", NOW.toString(), 1L);
        return Stream.of(
                passes(new RoomForCopy(), "just enough", copy().standby(s -> s.free(needed))),
                blocks(
                        new RoomForCopy(),
                        "a byte less",
                        copy().standby(s -> s.free(needed - 1)),
                        "needs 6.3 GiB (286.1 MiB of data, 1.0 GiB for WAL, 5.0 GiB left alone), the volume has 6.3"
                                + " GiB free"),
                passes(
                        new RoomForCopy(),
                        "less left alone",
                        copy().minFreeSpace("1Gi").standby(s -> s.free(3 * GIB))),
                waits(new RoomForCopy(), "no answer", copy().standby(s -> s.free(Answer.absent("no df"))), "no df"),
                passes(new WalFloor(), "no bound", copy()),
                passes(new WalFloor(), "a wide bound", copy().standby(s -> s.keep(GIB))),
                blocks(
                        new WalFloor(),
                        "a narrow bound",
                        copy().standby(s -> s.keep(GIB - 1)),
                        "max_slot_wal_keep_size...max_wal_size (1.0 GiB)"),
                blocks(
                        new WalFloor(),
                        "a small volume of its own",
                        copy().standby(s -> s.walFree(Answer.given(new DiskSpace(2 * GIB, GIB)))),
                        "volume of pg_wal has 1.0 GiB free"),
                passes(new ExchangePossible(), "nothing was refused", copy()),
                passes(new ExchangePossible(), "something else failed", copy().tried(1, NOW)),
                blocks(
                        new ExchangePossible(),
                        "the Job refused",
                        copy().tried(refused),
                        "The path has a space...change the spec"),
                passes(
                        new ExchangePossible(),
                        "the spec was changed",
                        copy().generation(2).tried(refused)));
    }

    @ParameterizedTest
    @MethodSource({"server", "contents", "room"})
    void check(Asked row) {
        row.verify();
    }

    @Test
    void everyCheckOfTheChainIsTried() {
        List<String> tried = Stream.of(server(), contents(), room())
                .flatMap(s -> s)
                .map(a -> ((Asked) ((Named<?>) a.get()[0]).getPayload()).check().name())
                .distinct()
                .toList();
        assertThat(Gates.standard().standby()).extracting(Check::name).containsExactlyInAnyOrderElementsOf(tried);
    }
}

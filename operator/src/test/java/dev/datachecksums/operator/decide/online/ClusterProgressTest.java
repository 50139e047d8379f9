package dev.datachecksums.operator.decide.online;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.online.FakeCluster;
import dev.datachecksums.operator.postgres.online.FakeDatabase;
import dev.datachecksums.operator.postgres.online.OnlineFacts;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Worker;
import dev.datachecksums.operator.postgres.online.RelationSize;
import dev.datachecksums.operator.postgres.online.Throttle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterProgressTest {
    private static final RelationMap MAP = new RelationMap(
            2,
            51,
            List.of(
                    new RelationSize(1, "public.a", 8192 * 10, 8192 * 12),
                    new RelationSize(2, "public.b", 8192 * 100, 8192 * 100),
                    new RelationSize(3, "public.c", 8192 * 50, 8192 * 50)));

    @Test
    void thereIsNoneWhereNothingIsUnderWay() {
        assertThat(of(Given.server().state(ChecksumState.INPROGRESS_ON))).isEmpty();
    }

    @Test
    void nothingIsDoneBeforeTheDatabasesAreListed() {
        ClusterProgress p = of(Given.server().launcher("IPC:ChecksumEnableStartcondition", "Waiting", null, null))
                .orElseThrow();
        assertThat(p).isEqualTo(new ClusterProgress(0, 300 * Given.MB));
    }

    @Test
    void finishedDatabasesCountByTheirSize() {
        ClusterProgress p = of(Given.server().launcher(2)).orElseThrow();
        assertThat(p).isEqualTo(new ClusterProgress(200 * Given.MB, 300 * Given.MB));
        assertThat(p.percent()).isEqualTo(66);
    }

    @Test
    void finishedDatabasesCountByWhatTheirWorkersCountedWhereThatIsKnown() {
        OnlineFacts f = Given.server().launcher(1).workerBlocks(1000 + 11_000).facts();
        ClusterProgress p = ClusterProgress.of(f, Optional.empty(), 1000L).orElseThrow();
        assertThat(p.bytesDone()).isEqualTo(11_000L * 8192);
    }

    @Test
    void countersThatWereResetAreNotBelieved() {
        OnlineFacts f = Given.server().launcher(1).workerBlocks(5).facts();
        assertThat(ClusterProgress.of(f, Optional.empty(), 1000L).orElseThrow().bytesDone())
                .isEqualTo(100 * Given.MB);
    }

    @Test
    void theRelationsBeforeTheCurrentOneAndItsOwnBlocksCount() {
        assertThat(inSecond("processing: public.b (main, 100 blocks)", 1, 40)).isEqualTo(12 + 40);
    }

    @Test
    void theForksAfterTheMainOneComeAfterIt() {
        assertThat(inSecond("processing: public.a (fsm, 3 blocks)", 0, 1)).isEqualTo(10 + 1);
    }

    /** Case 16. */
    @Test
    void aStaleCounterOfBlocksBetweenTwoRelationsDoesNotCount() {
        assertThat(inSecond(null, 2, 100)).isEqualTo(12 + 100);
    }

    @Test
    void theNameFindsTheRelationWhereTheCatalogWasRearranged() {
        assertThat(inSecond("processing: public.c (main, 50 blocks)", 1, 5)).isEqualTo(12 + 100 + 5);
    }

    @Test
    void aDatabaseThatWaitsForTemporaryTablesIsDone() {
        OnlineFacts f = Given.server().launcher(1).waitingOnTemporaryTables(2).facts();
        ClusterProgress p = ClusterProgress.of(f, Optional.of(MAP), null).orElseThrow();
        assertThat(p.bytesDone()).isEqualTo(100 * Given.MB + 162 * 8192);
        assertThat(p.bytesLeft()).isEqualTo(100 * Given.MB);
    }

    @Test
    void aHundredIsTheServersToSay() {
        assertThat(of(Given.server().launcher(3)).orElseThrow().percent()).isEqualTo(99);
        assertThat(new ClusterProgress(0, 0).percent()).isZero();
    }

    @Test
    void whatWasSaidIsNotTakenBack() {
        ClusterProgress p = new ClusterProgress(100, 1000).notBehind(30, 250);
        assertThat(p.bytesDone()).isEqualTo(300);
        assertThat(p.percent()).isEqualTo(30);
        assertThat(new ClusterProgress(100, 1000).notBehind(5, 50)).isEqualTo(new ClusterProgress(100, 1000));
    }

    private static Optional<ClusterProgress> of(Given given) {
        return ClusterProgress.of(given.facts(), Optional.empty(), null);
    }

    private static long inSecond(@org.jspecify.annotations.Nullable String activity, long relations, long blocks) {
        OnlineFacts f = Given.server()
                .launcher(1)
                .worker(2, null, activity, relations, blocks)
                .facts();
        ClusterProgress p = ClusterProgress.of(f, Optional.of(MAP), null).orElseThrow();
        return (p.bytesDone() - 100 * Given.MB) / 8192;
    }

    /** At every moment of a scripted run: within 5 points of what was really gone through, never back, 100 only when the server says on. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void isWithinFivePointsOfTheTruthAtAnyMoment(long seed) {
        Random random = new Random(seed);
        FakeCluster server = new FakeCluster();
        for (int i = random.nextInt(4); i >= 0; i--) {
            FakeDatabase d = server.create("db" + i, random.nextBoolean());
            for (int r = random.nextInt(6); r >= 0; r--) {
                d.add("t" + r, 1 + random.nextInt(random.nextBoolean() ? 50 : 20_000));
            }
        }
        long total = server.databases.stream().mapToLong(FakeDatabase::bytes).sum();
        server.call(
                true,
                random.nextInt(3) == 0
                        ? Throttle.NONE
                        : new Throttle(Duration.ofMillis(1 + random.nextInt(4)), 50 + random.nextInt(400)));
        Optional<RelationMap> map = Optional.empty();
        int said = 0;
        long bytes = 0;
        int looks = 0;
        while (server.state != ChecksumState.ON && looks++ < 100_000) {
            server.tick();
            OnlineFacts f = server.facts();
            Optional<Worker> worker = f.progress().worker();
            if (worker.isPresent() && map.filter(m -> m.of(worker.get())).isEmpty()) {
                map = Optional.of(new RelationMap(
                        worker.get().databaseOid(),
                        worker.get().process().pid(),
                        server.databases.stream()
                                .filter(d -> d.name.equals(worker.get().database()))
                                .findFirst()
                                .orElseThrow()
                                .sizes()));
            }
            Optional<ClusterProgress> p = ClusterProgress.of(f, map, 0L);
            if (server.state == ChecksumState.INPROGRESS_ON && p.isPresent()) {
                ClusterProgress now = p.get().notBehind(said, bytes);
                long truth = server.blocksDone() * 8192 * 100 / total;
                assertThat((long) now.percent()).isBetween(truth - 5, truth + 5);
                assertThat(now.percent()).isBetween(said, 99);
                said = now.percent();
                bytes = now.bytesDone();
            }
        }
        assertThat(server.state).isEqualTo(ChecksumState.ON);
        assertThat(said).isGreaterThan(50);
    }
}

package dev.datachecksums.operator.postgres.online;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerTarget;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Launcher;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Worker;
import java.time.Duration;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the contracts have in common: one world a test. */
abstract class ContractFixture {
    /** So slow that a table of {@link #LARGE} blocks is still being gone through when a test looks. */
    static final Throttle SLOW = new Throttle(Duration.ofMillis(20), 100);

    static final int LARGE = 1500;

    @SuppressWarnings("NullAway.Init")
    OnlineWorld world;

    abstract OnlineWorld create();

    @BeforeEach
    void begin() {
        world = create();
    }

    @AfterEach
    void end() {
        world.close();
    }

    OnlineFacts read() {
        return read(world.target());
    }

    OnlineFacts read(ServerTarget target) {
        try {
            return world.server().read(target);
        } catch (ServerException e) {
            throw new IllegalStateException(e);
        }
    }

    OnlineFacts await(Predicate<OnlineFacts> until) {
        return await(world.target(), until);
    }

    OnlineFacts await(ServerTarget target, Predicate<OnlineFacts> until) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .ignoreException(IllegalStateException.class)
                .until(() -> read(target), until);
    }

    OnlineFacts awaitState(ChecksumState state) {
        return await(f -> f.checksums() == state && f.progress().launcher().isEmpty());
    }

    /** A run that is slowly going through a large table of database postgres. */
    OnlineFacts beginSlowly() throws ServerException {
        world.table("postgres", "large", LARGE);
        world.server().enable(world.target(), SLOW);
        return await(f -> relation(f).equals("public.large") && count(worker(f).blocksDone()) > 0);
    }

    static Launcher launcher(OnlineFacts f) {
        return f.progress().launcher().orElseThrow();
    }

    static Worker worker(OnlineFacts f) {
        return f.progress().worker().orElseThrow();
    }

    static String relation(OnlineFacts f) {
        return f.progress()
                .worker()
                .flatMap(Worker::relation)
                .map(CurrentRelation::name)
                .orElse("");
    }

    static long count(@org.jspecify.annotations.Nullable Long counter) {
        return counter == null ? -1 : counter;
    }

    /** Off, nothing at work, and still so however often one looks: nothing resumes. */
    void assertAborted() {
        awaitState(ChecksumState.OFF);
        for (int i = 0; i < 20; i++) {
            OnlineFacts f = read();
            assertThat(f.checksums()).isEqualTo(ChecksumState.OFF);
            assertThat(f.progress()).isEqualTo(OnlineProgress.NONE);
        }
    }
}

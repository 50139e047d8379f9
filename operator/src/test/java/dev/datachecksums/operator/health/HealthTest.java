package dev.datachecksums.operator.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What ends the process, and what only keeps it from being counted on. */
class HealthTest {
    private List<Health.Watch> watches = List.of(new Health.Watch("jobs", true, true));
    private Optional<String> stuck = Optional.empty();
    private Optional<String> unable = Optional.empty();
    private final Health health = new Health(() -> watches, () -> stuck, () -> unable);

    @Test
    void oneThatWaitsForTheApiIsAliveAndNotReady() {
        assertThat(health.notAlive()).isEmpty();
        assertThat(health.notReady()).hasValueSatisfying(why -> assertThat(why).contains("Kubernetes API"));
    }

    @Test
    void oneThatRunsIsBoth() {
        health.started();
        assertThat(health.notAlive()).isEmpty();
        assertThat(health.notReady()).isEmpty();
    }

    @Test
    void aWatchThatHasNotSeenAllYetIsWaitedFor() {
        health.started();
        watches = List.of(new Health.Watch("jobs", true, false));
        assertThat(health.notAlive()).isEmpty();
        assertThat(health.notReady()).hasValue("the watch of jobs is not complete");
    }

    @Test
    void aWatchThatHasEndedEndsTheProcess() {
        health.started();
        watches = List.of(new Health.Watch("jobs", true, true), new Health.Watch("job-pods", false, true));
        assertThat(health.notAlive()).hasValue("the watch of job-pods has ended");
    }

    @Test
    void aReconcilerThatIsStuckEndsTheProcess() {
        health.started();
        stuck = Optional.of("the look at shop/db has not ended for 301 s");
        assertThat(health.notAlive()).isEqualTo(stuck);
        assertThat(health.notReady()).isEmpty();
    }

    @Test
    void oneThatCannotTakeOverIsNotReadyAndGoesOn() {
        health.started();
        unable = Optional.of("the Lease cannot be read");
        assertThat(health.notAlive()).isEmpty();
        assertThat(health.notReady()).isEqualTo(unable);
    }

    /** Its watches end while it stops: that is no reason to kill it half-way. */
    @Test
    void oneThatStopsIsLeftToIt() {
        health.started();
        health.stopping();
        watches = List.of(new Health.Watch("jobs", false, true));
        assertThat(health.notAlive()).isEmpty();
        assertThat(health.notReady()).hasValue("stopping");
    }
}

package dev.datachecksums.operator.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.decide.check.Gates;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** An offline try that stands still is said to, and goes on being decided as before. */
class StallsTest {
    private static final Instant NOW = Observations.NOW;

    private static Verdict decide(Observations o) {
        return new Decider(Gates.standard()).decide(o.build());
    }

    @Test
    void aJobThatNoNodeTakesIsStalledAfterAMoment() {
        Jobs job = Jobs.convert().pending().problem("Unschedulable: 0/3 nodes are available");
        Verdict soon = decide(Observations.converting().job(job.created(NOW.minusSeconds(5))));
        assertThat(soon.stalled()).isFalse();
        Verdict later = decide(Observations.converting().job(job.created(NOW.minusSeconds(20))));
        assertThat(later.stalled()).isTrue();
        assertThat(later.reason()).isEqualTo("JobNotStarted");
        assertThat(later.message()).contains("0/3 nodes");
        assertThat(later.decision()).isEqualTo(soon.decision());
    }

    @Test
    void aJobThatOnlyStartsIsNot() {
        assertThat(decide(Observations.converting().job(Jobs.convert().pending().created(NOW.minusSeconds(60))))
                        .stalled())
                .isFalse();
    }
}

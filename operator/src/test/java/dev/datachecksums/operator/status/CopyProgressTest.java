package dev.datachecksums.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.ProgressStatus;
import dev.datachecksums.operator.decide.Observations;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobLog;
import dev.datachecksums.operator.offline.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How far a copy is, told by what its Job says: 1000 bytes, a second a line. */
class CopyProgressTest {
    private static final Instant BEGAN = Observations.NOW;

    private final Map<Step, Instant> said = new EnumMap<>(Step.class);
    private final List<Integer> percents = new ArrayList<>();
    private Instant clock = BEGAN;
    private @Nullable ProgressStatus last;

    private ProgressStatus says(Step step, long done) {
        clock = clock.plusSeconds(1);
        said.put(step, clock);
        ProgressStatus now = CopyProgress.of(observation(step, done, last), conversion());
        percents.add(now.percent());
        last = now;
        return now;
    }

    @Test
    void percentsNeverGoBackAndHundredIsNeverSaidByTheJob() {
        says(Step.STARTED, 0);
        says(Step.COPYING, 500);
        says(Step.COPYING, 1000);
        says(Step.COPIED, 1000);
        says(Step.RECOVERED, 1000);
        says(Step.CONVERTING, 100);
        says(Step.CONVERTING, 1000);
        says(Step.COPYCONVERTED, 1000);
        says(Step.FOLLOWING, 1000);
        says(Step.VERIFYING, 10);
        says(Step.VERIFYING, 1000);
        says(Step.READY, 1000);
        says(Step.ARMED, 1000);
        says(Step.STOPPED, 1000);
        says(Step.SWAPPED, 1000);
        assertThat(percents).isSorted().startsWith(0, 22, 45).endsWith(96, 96, 99, 99);
    }

    @Test
    void theEndIsEstimatedByThePassesToCome() {
        says(Step.STARTED, 0);
        ProgressStatus now = says(Step.COPYING, 250);
        assertThat(now.bytesPerSecond()).isEqualTo(250);
        // 750 bytes of this pass, and two passes more
        assertThat(now.remaining()).isEqualTo("11s");
    }

    @Test
    void anOperatorThatHasJustStartedSaysWhatWasSaid() {
        says(Step.STARTED, 0);
        says(Step.COPYING, 500);
        said.clear();
        assertThat(says(Step.STARTED, 0).percent()).isEqualTo(22);
    }

    private static ConversionStatus conversion() {
        return new ConversionStatus(
                Observations.TRY,
                DesiredState.ENABLED,
                ConversionMethod.TEMPORARY_STANDBY,
                BEGAN.toString(),
                null,
                null,
                1000L,
                null,
                null,
                null);
    }

    private Observation observation(Step step, long done, @Nullable ProgressStatus before) {
        JobLog log = new JobLog(
                said,
                Optional.of(step),
                Optional.empty(),
                done,
                step == Step.STARTED ? 0 : 1000,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        DataChecksumsStatus status = new DataChecksumsStatus(
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                conversion(),
                before,
                null,
                null,
                null,
                null,
                null,
                null);
        return Observations.atRest().at(clock).status(status).job(job(log)).build();
    }

    private static JobFacts job(JobLog log) {
        return new JobFacts(
                Observations.TRY, "uid", false, BEGAN, false, Optional.empty(), Optional.empty(), false, log);
    }
}

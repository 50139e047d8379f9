package dev.datachecksums.operator.status;

import static dev.datachecksums.operator.decide.Observations.atRest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.OnDrift;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.act.Outcome;
import dev.datachecksums.operator.decide.Decision;
import dev.datachecksums.operator.decide.Observations;
import dev.datachecksums.operator.decide.Verdict;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ChecksumState;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusReportTest {

    /** Whoever asks for the old state again while the other is being made has not met a drift. */
    @Test
    void whatItWasConvergedToIsForgottenWhenAConversionBegins() {
        Observations given = atRest().onDrift(OnDrift.REPORT).convergedState(DesiredState.DISABLED);
        assertThat(report(given.build(), false).convergedState()).isEqualTo(DesiredState.DISABLED);
        assertThat(report(given.build(), true).convergedState()).isNull();
    }

    @Test
    void whatTheServerSaysNowIsWhatItIsConvergedTo() {
        Observation on = atRest().server(s -> s.checksums(ChecksumState.ON)).build();
        assertThat(report(on, false).convergedState()).isEqualTo(DesiredState.ENABLED);
    }

    private static DataChecksumsStatus report(Observation o, boolean begun) {
        return StatusReport.of(
                o,
                Verdict.of(Phase.PENDING, "Any", "any", new Decision.Nothing()),
                new Outcome(
                        begun ? Observations.conversion(DesiredState.ENABLED, null, null) : null,
                        null,
                        null,
                        Optional.empty(),
                        false,
                        Optional.empty()));
    }
}

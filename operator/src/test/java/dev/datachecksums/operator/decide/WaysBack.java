package dev.datachecksums.operator.decide;

import static dev.datachecksums.operator.decide.Observations.TRY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.offline.JobNames;
import java.util.function.Consumer;
import org.junit.jupiter.params.provider.Arguments;

/** Rows of tables about a try that is given up since it was not clean, and what is expected of them. */
final class WaysBack {

    private WaysBack() {}

    static Arguments row(String given, Observations o, Class<? extends Decision> decision) {
        return row(given, o, decision, v -> {});
    }

    static Arguments row(String given, Observations o, Class<? extends Decision> decision, Consumer<Verdict> more) {
        boolean end = decision == Decision.EndTry.class;
        boolean restart = decision == Decision.RestartPod.class;
        return Case.of(
                given, o, end ? Phase.WAITING : Phase.STARTING, restart ? "Restarting" : "NotClean", decision, more);
    }

    static Consumer<Verdict> says(String words) {
        return v -> assertThat(v.message()).contains(words);
    }

    static Consumer<Verdict> lift(int n) {
        return v -> assertThat(((Decision.LiftByJob) v.decision()).job()).isEqualTo(JobNames.lift(TRY, n));
    }
}

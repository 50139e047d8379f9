package dev.datachecksums.operator.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.decide.check.Gates;
import dev.datachecksums.operator.observe.Observation;
import java.util.function.Consumer;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.Arguments;

/** A row of the table of transitions: what is observed, and what is decided and reported. */
record Case(Given given, Phase phase, String reason, Class<? extends Decision> decision, Consumer<Verdict> more) {

    /** What is observed. */
    interface Given {
        Observation build();
    }

    static Arguments of(String given, Given o, Phase phase, String reason, Class<? extends Decision> decision) {
        return of(given, o, phase, reason, decision, v -> {});
    }

    /** With more to verify. */
    static Arguments of(
            String given,
            Given o,
            Phase phase,
            String reason,
            Class<? extends Decision> decision,
            Consumer<Verdict> more) {
        return Arguments.of(Named.of(
                given + " -> " + phase + " " + reason + ", " + decision.getSimpleName(),
                new Case(o, phase, reason, decision, more)));
    }

    void verify() {
        Verdict v = new Decider(Gates.standard()).decide(given.build());
        assertThat(v.decision()).as(v.message()).isInstanceOf(decision);
        assertThat(v.reason()).isEqualTo(reason).matches("[A-Z][A-Za-z]+");
        assertThat(v.phase()).isEqualTo(phase);
        assertThat(v.message()).isNotBlank().doesNotContain("null", "Optional");
        more.accept(v);
    }
}

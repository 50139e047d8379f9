package dev.datachecksums.operator.decide.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.decide.Check;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.Observations;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.Arguments;

/** A row of a table of checks: an observation and what the check has to say about it. */
record Asked(Check check, Observations given, Answer answer, String words) {

    enum Answer {
        PASS,
        WAIT,
        BLOCK
    }

    static Arguments passes(Check check, String given, Observations o) {
        return row(check, given, o, Answer.PASS, "");
    }

    /** Words of the message or of the remedy, with {@code ...} for what is left out. */
    static Arguments waits(Check check, String given, Observations o, String words) {
        return row(check, given, o, Answer.WAIT, words);
    }

    static Arguments blocks(Check check, String given, Observations o, String words) {
        return row(check, given, o, Answer.BLOCK, words);
    }

    private static Arguments row(Check check, String given, Observations o, Answer answer, String words) {
        return Arguments.of(
                Named.of(check.name() + ": " + given + " -> " + answer, new Asked(check, o, answer, words)));
    }

    void verify() {
        Finding f = check.examine(given.build());
        assertThat(f.check()).isEqualTo(check.name()).isEqualTo(check.getClass().getSimpleName());
        switch (answer) {
            case PASS -> assertThat(f).isInstanceOf(Finding.Pass.class);
            case WAIT -> assertThat(f).isInstanceOf(Finding.Wait.class);
            case BLOCK -> assertThat(f).isInstanceOf(Finding.Block.class);
        }
        if (answer != Answer.PASS) {
            assertThat(f.words()).containsSubsequence(words.split("\\.\\.\\."));
            assertThat(f.words().split("\\. ", 2)[1]).as("a remedy").isNotBlank();
        }
    }
}

package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What Kubernetes and Linux ask of a script that is passed as an argument. */
class InPlaceScriptTest {
    @Test
    void survivesTheExpansionOfArguments() {
        // Kubernetes turns $$ into $ and replaces $(NAME) for a variable of the container.
        assertThat(AgentRun.script()).doesNotContain("$$").doesNotContainPattern("\\$\\([A-Z_]+\\)");
    }

    @Test
    void fitsIntoOneArgument() {
        // MAX_ARG_STRLEN is 128 KiB.
        assertThat(AgentRun.script().length()).isLessThan(100_000);
    }

    @Test
    void isPlainAscii() {
        assertThat(AgentRun.script()).matches("[\\x20-\\x7e\\n]+");
    }

    /**
     * A subshell that has just been made resets its traps: a TERM that comes before that is lost (8 of 100 times on a busy machine), and who
     * waits for its end waits until the deadline, with the server down.
     */
    @Test
    void endsNothingByASignalThatCanBeLost() {
        assertThat(AgentRun.script().lines().filter(line -> line.matches(".*\\bkill .*")))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).doesNotContainPattern("\\bkill (?!-(0|KILL) )"));
    }
}

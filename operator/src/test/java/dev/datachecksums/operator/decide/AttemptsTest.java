package dev.datachecksums.operator.decide;

import static dev.datachecksums.operator.decide.Observations.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttemptsTest {

    @ParameterizedTest(name = "{0} failures: {1} s")
    @CsvSource({"0, 10", "1, 10", "2, 20", "3, 40", "4, 80", "5, 160", "6, 320", "7, 600", "100, 600", "2147483647, 600"
    })
    void theWaitGrows(int failures, long seconds) {
        assertThat(Attempts.notBefore(new AttemptsStatus(failures, "R", "m", NOW.toString(), 1L), NOW))
                .contains(NOW.plusSeconds(seconds));
    }

    @Test
    void withoutATryThereIsNoWait() {
        assertThat(Attempts.notBefore(Attempts.of(Observations.atRest().build()), NOW))
                .isEmpty();
    }

    @Test
    void aClockThatWasSetBackKeepsNobodyWaiting() {
        AttemptsStatus tried =
                new AttemptsStatus(1, "R", "m", NOW.plusSeconds(3600).toString(), 1L);
        assertThat(Attempts.notBefore(tried, NOW)).isEmpty();
    }

    @Test
    void aTimeThatCannotBeReadIsLongAgo() {
        assertThat(Attempts.notBefore(new AttemptsStatus(3, "R", "m", "yesterday", 1L), NOW))
                .hasValueSatisfying(t -> assertThat(t).isBefore(Instant.parse("1971-01-01T00:00:00Z")));
    }

    /** Nobody's failure: the operator was restarted while the interlock stood, and no server was stopped. */
    @Test
    void aSessionThatWasLostWithTheOperatorIsNoFailedTry() {
        AttemptsStatus after = Objects.requireNonNull(Attempts.after(
                Observations.atRest().tried(1, NOW).build(), new GivingUp(GivingUp.SESSION_LOST, "restarted")));
        assertThat(Attempts.count(after)).isEqualTo(1);
        assertThat(Attempts.notBefore(after, NOW)).contains(NOW.plusSeconds(10));
    }

    /** More is said behind it. */
    @Test
    void aSentenceOfTheJobLosesItsPeriod() {
        GivingUp why = new GivingUp("NotServing", "The server is down.");
        assertThat(why.message()).isEqualTo("The server is down");
        AttemptsStatus after =
                Objects.requireNonNull(Attempts.after(Observations.atRest().build(), why));
        assertThat(after.lastError()).isEqualTo("The server is down");
        assertThat(after.lastTime()).matches("[^.]*Z");
    }

    @Test
    void anotherGenerationStartsAnew() {
        assertThat(Attempts.count(
                        Attempts.of(Observations.atRest().tried(2, NOW).build())))
                .isEqualTo(2);
        assertThat(Attempts.count(Attempts.of(
                        Observations.atRest().tried(2, NOW).generation(2).build())))
                .isZero();
        assertThat(Attempts.count(Attempts.of(Observations.atRest()
                        .tried(new AttemptsStatus(null, null, null, null, null))
                        .build())))
                .isZero();
    }
}

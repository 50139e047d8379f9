package dev.datachecksums.operator.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A reconciler that is stuck is noticed; one that is only busy, or has nothing to do, is not. */
class LooksTest {
    private long now;
    private final Looks looks = new Looks(() -> now);

    @Test
    void aLookThatDoesNotEndIsNoticed() {
        looks.begin("shop/db");
        pass(Looks.LONGEST);
        assertThat(looks.stuck()).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(looks.stuck()).hasValue("the look at shop/db has not ended for 301 s");
        looks.end("shop/db", Duration.ofMinutes(5));
        assertThat(looks.stuck()).isEmpty();
    }

    @Test
    void aLookThatNeverComesIsNoticed() {
        looks.begin("shop/db");
        looks.end("shop/db", Duration.ofHours(1));
        pass(Duration.ofHours(1).plus(Looks.LATEST));
        assertThat(looks.stuck()).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(looks.stuck()).hasValue("the look at shop/db is late by 301 s");
    }

    @Test
    void nothingIsDueForOneThatHasGone() {
        looks.begin("shop/db");
        looks.forget("shop/db");
        looks.begin("shop/other");
        looks.clear();
        pass(Duration.ofDays(1));
        assertThat(looks.stuck()).isEmpty();
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }
}
